"""The sentence pairs whose derivations are looked for, the fold of each, and the blocks that they form."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tunesmith.corpus.blocks import parallel_blocks
from tunesmith.corpus.clean import count_tokens
from tunesmith.errors import InputError, OptionError, TunesmithWarning
from tunesmith.files import PathLike
from tunesmith.model.jackknife import FoldModels
from tunesmith.model.jackknife.sentence_folds import OTHER, sentence_folds
from tunesmith.model.jackknife.usable_pairs import take_lines, take_parts
from tunesmith.model.parts.names import SOURCE, TARGET
from tunesmith.texts import Texts
from tunesmith.types import IntArray

__all__ = ["BLOCK", "DerivationText", "TextBlock"]

BLOCK = 500
"""Sentences per block: the pseudo-document starts anew, and a file of derivations ends."""


@dataclass(frozen=True, eq=False)
class TextBlock:
    """The sentences of one file: rows of one fold, in order."""

    number: int
    fold: int
    rows: IntArray


@dataclass(frozen=True, eq=False)
class DerivationText:
    """Two tokenized files, line by line, and the rows (from 0) of which neither side is empty, by fold."""

    source: Path
    target: Path
    rows: IntArray
    fold_of: IntArray
    empty: int
    """Pairs of which a side is empty."""
    is_other: bool = False
    """Whether it is not the model's training text."""

    @classmethod
    def of(
        cls, model: Path, source: PathLike | None, target: PathLike | None, *, jackknife: bool
    ) -> DerivationText:
        """Return the training text of a model, or other text; with `jackknife` the folds of its pairs."""
        if (source is None) != (target is None):
            raise OptionError("other text has two sides: give both {} and {}, or none", "source", "target")
        models = FoldModels(model)
        if source is None or target is None:
            sides = models.home / SOURCE, models.home / TARGET
            if not sides[0].is_file():
                raise InputError(
                    "has no training text, as imported models do not; name a text by {} and {}",
                    "source",
                    "target",
                    path=model,
                )
            folds = models.fold_of_pairs if jackknife else None
        else:
            sides = Path(source).absolute(), Path(target).absolute()
            folds = _looked_up(models, *sides) if jackknife else None
        return cls._filled(*sides, folds, is_other=source is not None)

    @classmethod
    def _filled(cls, source: Path, target: Path, folds: IntArray | None, *, is_other: bool) -> DerivationText:
        filled = np.concatenate(
            [
                (count_tokens(block[0]) > 0) & (count_tokens(block[1]) > 0)
                for block in parallel_blocks([source, target])
            ]
        )
        rows = np.flatnonzero(filled)
        if not len(rows):
            raise InputError("has no sentence pair of which both sides have words", path=source)
        if folds is None:
            folds = np.full(len(filled), OTHER, dtype=np.int64)
        elif len(folds) != len(filled):
            raise InputError(f"has {len(filled)} lines, but folds for {len(folds)}", path=source)
        rows = rows[np.lexsort((rows, folds[rows]))]
        return cls(source, target, rows, folds[rows], len(filled) - len(rows), is_other)

    def __len__(self) -> int:
        return len(self.rows)

    def blocks(self) -> Iterator[TextBlock]:
        """Yield the blocks, fold by fold."""
        number = 0
        for fold in np.unique(self.fold_of).tolist():
            rows = self.rows[self.fold_of == fold]
            for begin in range(0, len(rows), BLOCK):
                yield TextBlock(number, fold, rows[begin : begin + BLOCK])
                number += 1

    def lines(self, rows: IntArray) -> list[Texts]:
        """Return both sides of some rows. Reads the files once."""
        return take_lines([self.source, self.target], rows)

    def with_lines(self, blocks: Sequence[TextBlock]) -> Iterator[tuple[TextBlock, tuple[Texts, Texts]]]:
        """Yield blocks with both sides of their rows."""
        return take_parts([self.source, self.target], blocks)


def _looked_up(models: FoldModels, source: Path, target: Path) -> IntArray:
    """Return the fold of each pair of other text that the training text has."""
    sides: tuple[list[Texts], list[Texts]] = ([], [])
    for blocks in parallel_blocks([source, target]):
        for side, block in zip(sides, blocks, strict=True):
            side.append(block)
    lines = [list(Texts.joined(side)) for side in sides]
    found = sentence_folds(models, lines[0], lines[1], None)
    for message in found.messages:
        warnings.warn(message, TunesmithWarning, stacklevel=4)
    return found.fold_of
