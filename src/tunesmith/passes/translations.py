"""Translations of a file as what workers make of pieces of it, whose outputs are joined in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path

from tunesmith.consensus import ConsensusRule
from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.decoding import decoded_batches
from tunesmith.decode.jackknife import FoldDecoders
from tunesmith.decode.output import DecodeOutputs
from tunesmith.decode.output.joining import joining, of_piece
from tunesmith.decode.request import Request
from tunesmith.decode.summary import DecodeSummary
from tunesmith.distribute import Executor
from tunesmith.folders import temporary_folder
from tunesmith.model.seen import Seen
from tunesmith.passes.product import Product, make_by_workers

__all__ = ["PIECE", "translate_by"]

PIECE = 250
"""Sentences per piece: seconds of work."""


@dataclass(frozen=True, eq=False)
class Requests:
    """Some requests of one fold, the files to write, and what errors call the input.

    `seen` of them are in the training text.
    """

    requests: tuple[Request, ...]
    outputs: DecodeOutputs
    text: str
    seen: int


@dataclass(frozen=True, eq=False)
class Translations(Product[Requests, tuple[DecodeSummary, int]]):
    """All outputs of a decoder; a piece has totals, and bytes of its n-best list that are a header."""

    consensus: ConsensusRule | None

    def make(
        self, decoder: AnyDecoder, piece: Requests, threads: int, report: Callable[[int], None]
    ) -> tuple[DecodeSummary, int]:
        """Translate a piece."""
        summary = DecodeSummary(seen=piece.seen)
        with piece.outputs.open(decoder, threads) as writers:
            forest = self.consensus is not None or any(writer.needs_forests for writer in writers)
            for decoded in decoded_batches(
                decoder, [piece.requests], piece.text, self.consensus, forest=forest, threads=threads
            ):
                for writer in writers:
                    writer.write(decoded)
                summary = summary.plus(DecodeSummary.of(decoded))
                report(summary.sentences)
            return summary, sum(writer.head_size for writer in writers)


def translate_by(
    executor: Executor,
    decoders: FoldDecoders,
    requests: Iterable[tuple[int, Request]],
    outputs: DecodeOutputs,
    finished: Callable[[DecodeSummary], None],
    *,
    consensus: ConsensusRule | None,
    text: str,
    known: Seen | None,
) -> None:
    """Translate requests, each with its fold, by workers; the files are those of one process, bit for bit.

    But for n-best lists: a line has its sparse features in the order of their first use in the piece.
    `known` counts sentences of the training text. `finished` is called with the totals of each piece when it
    is joined, in order.
    """
    with temporary_folder(".tunesmith-decode-", _place(outputs)) as scratch, joining(outputs) as join:
        folder = Path(scratch).absolute()

        def pieces() -> Iterator[tuple[int, Requests]]:
            number = 0
            for fold, group in groupby(requests, key=lambda each: each[0]):
                while own := tuple(request for _, request in islice(group, PIECE)):
                    seen = 0 if known is None else known.count_sources([each.source for each in own])
                    yield fold, Requests(own, of_piece(outputs, folder, number), text, seen)
                    number += 1

        def joined(number: int, found: tuple[DecodeSummary, int]) -> None:
            summary, head = found
            join(of_piece(outputs, folder, number), head)
            finished(summary)

        product = Translations(consensus)
        make_by_workers(executor, decoders, folder / "weights", product, pieces(), joined, in_order=True)


def _place(outputs: DecodeOutputs) -> Path:
    """Return the folder for files of pieces: that of the first output that is a file."""
    files = (Path(path) for path in outputs.paths if path is not None and str(path) != "-")
    return next((path.parent for path in files if path.is_file() or not path.exists()), Path())
