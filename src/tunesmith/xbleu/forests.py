"""Translating a text to forests, each sentence without the fold that it is in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tunesmith import _native
from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.files import PathLike
from tunesmith.options import determinants
from tunesmith.passes.decoding import Decoding
from tunesmith.passes.product import Product
from tunesmith.passes.run import Written
from tunesmith.passes.text import PieceLines
from tunesmith.xbleu.forest_counts import ForestCounts, count_forests
from tunesmith.xbleu.forest_options import ForestOptions
from tunesmith.xbleu.forest_store import FORESTS, ForestStore
from tunesmith.xbleu.store_pass import StoreContent, write_store

__all__ = ["write_forests"]

BATCH = 250
"""Most sentences per native call; memory is that of their forests."""


def write_forests(
    model: PathLike,
    output: PathLike,
    options: ForestOptions,
    decoding: Decoding | None = None,
    *,
    source: PathLike | None = None,
    target: PathLike | None = None,
) -> Written[ForestStore]:
    """Write the forests of a model's training text, or of other tokenized text, to a folder.

    The search is that of the decoder. Its forest is split by what features and n-gram matches of a later
    phrase depend on, and pruned to `options.density` edges per source word. Folds, other text and killed runs
    are as in `write_lists`.
    """

    def content(_: PhraseDecoder) -> StoreContent[ForestCounts]:
        forests = Forests(options.density, options.blocks)
        return StoreContent(FORESTS, forests, options.shape, determinants(options))

    report = write_store(model, output, content, options, decoding or Decoding(), source, target)
    return Written(ForestStore.open(output), report)


@dataclass(frozen=True)
class Forests(Product[PieceLines, ForestCounts]):
    """A forest per sentence, with `density` edges per source word; `blocks`: it knows those of the stack."""

    density: float
    blocks: bool

    def make(
        self, decoder: AnyDecoder, piece: PieceLines, threads: int, report: Callable[[int], None]
    ) -> ForestCounts:
        """Write a file of forests."""
        writer = _native.EventForestWriter()
        model, search = decoder.native_model, decoder.native_options(forest=False)

        def decode(part: PieceLines) -> tuple[int, int, int]:
            return writer.decode(model, search, *part.native, self.density, self.blocks, threads)

        missing, too_large, single = piece.in_calls(BATCH, decode, report)
        (path,) = piece.files
        writer.write(str(path))
        return count_forests(path, missing, too_large, single)
