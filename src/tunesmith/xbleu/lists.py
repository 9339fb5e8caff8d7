"""Translating a text to n-best lists, each sentence without the fold that it is in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tunesmith import _native
from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.files import PathLike
from tunesmith.passes.decoding import Decoding
from tunesmith.passes.product import Product
from tunesmith.passes.run import Written
from tunesmith.passes.text import PieceLines
from tunesmith.xbleu.left_out import LeftOutModels
from tunesmith.xbleu.list_counts import FileCounts, count_file
from tunesmith.xbleu.list_options import ListOptions
from tunesmith.xbleu.store import LISTS, ListStore
from tunesmith.xbleu.store_pass import StoreContent, write_store

__all__ = ["write_lists"]

BATCH = 250
"""Most sentences per native call; memory is that of their lists."""
BATCH_CANDIDATES = 100_000
"""Number of candidates above which a call has fewer sentences."""


def write_lists(
    model: PathLike,
    output: PathLike,
    options: ListOptions | None = None,
    decoding: Decoding | None = None,
    *,
    source: PathLike | None = None,
    target: PathLike | None = None,
) -> Written[ListStore]:
    """Write the n-best lists of a model's training text, or of other tokenized text, to a folder.

    Every sentence is translated by the model without its fold, or with `options.jackknife=False` by the whole
    model. Each file has lists of one fold; with `options.retrain`, scores of candidates are without those of
    the named reordering models, for a training that starts from them. A killed run is continued by the same
    call and loses at most the files that it was writing: one, or with an executor one per worker.
    """
    chosen = options or ListOptions()

    def content(decoder: PhraseDecoder) -> StoreContent[FileCounts]:
        left_out = LeftOutModels.of(decoder, chosen.retrain)
        dense = tuple(decoder.feature_names) if chosen.dense else ()
        shape = {**({"dense": list(dense)} if dense else {}), "nbest": chosen.nbest, **left_out.shape}
        lists = Lists(chosen.nbest, dense, tuple(left_out.features))
        return StoreContent(LISTS, lists, shape, chosen.settings() | left_out.settings)

    report = write_store(model, output, content, chosen, decoding or Decoding(), source, target)
    return Written(ListStore.open(output), report)


@dataclass(frozen=True)
class Lists(Product[PieceLines, FileCounts]):
    """A list of `nbest` candidates per sentence, and the values of its `dense` features.

    Scores are without those of the features `left_out`.
    """

    nbest: int
    dense: tuple[str, ...]
    left_out: tuple[str, ...]

    def make(
        self, decoder: AnyDecoder, piece: PieceLines, threads: int, report: Callable[[int], None]
    ) -> FileCounts:
        """Write a file of lists."""
        writer = _native.ListWriter(self.dense)
        model, search = decoder.native_model, decoder.native_options(forest=False)

        def decode(part: PieceLines) -> tuple[int, int, int]:
            return writer.decode(model, search, *part.native, self.nbest, threads, self.left_out)

        batch = min(BATCH, max(BATCH_CANDIDATES // self.nbest, 1))
        missing, too_large, single = piece.in_calls(batch, decode, report)
        (path,) = piece.files
        writer.write(str(path))
        return count_file(path, missing, too_large, single)
