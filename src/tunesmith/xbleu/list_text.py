"""The sentence pairs that lists or forests are made of, and the fold of each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from tunesmith.files import PathLike
from tunesmith.model.jackknife import JackknifeOptions
from tunesmith.model.jackknife.usable_pairs import UsablePairs
from tunesmith.passes.text import PassText
from tunesmith.types import IntArray
from tunesmith.xbleu.forest_options import ForestOptions
from tunesmith.xbleu.list_options import ListOptions

__all__ = ["PIECE", "TextOptions", "list_text"]

PIECE = 2000
"""Most sentences per file of lists."""

TextOptions: TypeAlias = ListOptions | ForestOptions
"""Options of which sentences are translated, and by which systems."""


def list_text(
    model: Path,
    source: PathLike | None,
    target: PathLike | None,
    folds: JackknifeOptions | None,
    options: TextOptions,
) -> PassText:
    """Return the training text of a model, or other text: different pairs that are in one fold only."""

    def choose(sides: Sequence[Path], fold_of: IntArray | None) -> UsablePairs:
        usable = UsablePairs.of(sides, fold_of, options.max_length)
        return usable if options.pairs is None else usable.drawn(options.pairs, options.seed)

    return PassText.of(model, source, target, folds, choose, PIECE)
