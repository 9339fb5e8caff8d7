"""Decoding a file by an executor: shards of lines, whose outputs are joined in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path

from tunesmith.consensus import ConsensusRule
from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.decoder_setup import DecoderSetup
from tunesmith.decode.decoding import decoded_batches
from tunesmith.decode.output import DecodeOutputs
from tunesmith.decode.output.joining import joining, of_shard
from tunesmith.decode.request import Request
from tunesmith.decode.summary import DecodeSummary
from tunesmith.distribute import Executor, Report
from tunesmith.distribute.kept import kept
from tunesmith.distribute.waves import map_in_waves
from tunesmith.folders import temporary_folder
from tunesmith.model.jackknife import FoldModels
from tunesmith.model.seen import Seen

__all__ = ["SHARD", "DecodeShard", "ShardedDecoding", "decode_shard"]

SHARD = 250
"""Sentences per shard: seconds of work."""

Numbered = tuple[int, Request]
"""The fold of a sentence, and the sentence."""


@dataclass(frozen=True, eq=False)
class DecodeShard:
    """Some requests of one fold, how to translate them, and the files to write.

    `path` is the input for errors: a text, since it is not sent. `seen` requests are in the training text.
    """

    setup: DecoderSetup
    fold: int
    requests: tuple[Request, ...]
    consensus: ConsensusRule | None
    outputs: DecodeOutputs
    path: str
    seen: int


def decode_shard(shard: DecodeShard, report: Report) -> tuple[DecodeSummary, int]:
    """Translate a shard; return its totals, and the bytes of its n-best list that are a header."""

    def open_(stack: ExitStack) -> AnyDecoder:
        return stack.enter_context(shard.setup.open(shard.fold))

    decoder = kept((shard.setup, shard.fold), open_)
    summary = DecodeSummary(seen=shard.seen)
    with shard.outputs.open(decoder, 1) as writers:
        forest = shard.consensus is not None or any(writer.needs_forests for writer in writers)
        for decoded in decoded_batches(
            decoder, [shard.requests], shard.path, shard.consensus, forest=forest, threads=1
        ):
            for writer in writers:
                writer.write(decoded)
            summary = summary.plus(DecodeSummary.of(decoded))
            report(summary.sentences)
        return summary, sum(writer.head_size for writer in writers)


@dataclass(frozen=True, eq=False)
class ShardedDecoding:
    """Translates requests by an executor; the files are those of one process, bit for bit.

    `known` counts sentences of the training text, `folds` are the models that leave folds out.
    """

    executor: Executor
    decoder: AnyDecoder
    outputs: DecodeOutputs
    consensus: ConsensusRule | None
    path: str
    known: Seen | None
    folds: FoldModels | None

    def run(self, requests: Iterable[Numbered], finished: Callable[[DecodeSummary], None]) -> None:
        """Translate all; `finished` is called with the totals of each shard when it is joined, in order."""
        with (
            temporary_folder(".tunesmith-decode-", _place(self.outputs)) as scratch,
            joining(self.outputs) as join,
        ):
            folder = Path(scratch).absolute()
            setup = DecoderSetup.of(self.decoder, folder / "weights", self.executor, self.folds)

            def joined(number: int, found: tuple[DecodeSummary, int]) -> None:
                summary, head = found
                join(of_shard(self.outputs, folder, number), head)
                finished(summary)

            map_in_waves(
                self.executor, decode_shard, self._shards(setup, folder, requests), joined, in_order=True
            )

    def _shards(
        self, setup: DecoderSetup, folder: Path, requests: Iterable[Numbered]
    ) -> Iterator[DecodeShard]:
        number = 0
        for fold, group in groupby(requests, key=lambda each: each[0]):
            while part := tuple(request for _, request in islice(group, SHARD)):
                files = of_shard(self.outputs, folder, number)
                yield DecodeShard(setup, fold, part, self.consensus, files, self.path, self._seen(part))
                number += 1

    def _seen(self, part: Sequence[Request]) -> int:
        return 0 if self.known is None else self.known.count_sources([each.source for each in part])


def _place(outputs: DecodeOutputs) -> Path:
    """Return the folder for files of shards: that of the first output that is a file."""
    files = (Path(path) for path in outputs.paths if path is not None and str(path) != "-")
    return next((path.parent for path in files if path.is_file() or not path.exists()), Path())
