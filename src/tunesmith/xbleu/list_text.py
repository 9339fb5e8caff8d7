"""The sentence pairs that lists or forests are made of, and the fold of each."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import numpy as np

from tunesmith.corpus.blocks import parallel_blocks
from tunesmith.errors import InputError, OptionError, TunesmithWarning
from tunesmith.model.jackknife import FoldModels, JackknifeOptions
from tunesmith.model.jackknife.sentence_folds import OTHER, read_sentence_folds, sentence_folds
from tunesmith.model.jackknife.usable_pairs import PairCounts, UsablePairs, take_parts
from tunesmith.model.parts.names import FOLDS, SOURCE, TARGET
from tunesmith.texts import Texts
from tunesmith.types import IntArray

__all__ = ["FILE_SENTENCES", "ListText", "Part", "TextOptions", "check_folds"]

PARTS_READ = 100
"""Parts whose lines are read, and kept, at once."""
FILE_SENTENCES = 2000
"""Most sentences per file of lists."""


class TextOptions(Protocol):
    """Options of which sentences are translated, and by which systems."""

    @property
    def pairs(self) -> int | None: ...
    @property
    def max_length(self) -> int | None: ...
    @property
    def jackknife(self) -> bool: ...
    @property
    def seed(self) -> int: ...
    @property
    def restart(self) -> bool: ...


@dataclass(frozen=True, eq=False)
class Part:
    """The sentences of one file: rows of one fold, in order."""

    number: int
    fold: int
    rows: IntArray


@dataclass(frozen=True, eq=False)
class ListText:
    """Two tokenized files, line by line, and the rows (from 0) that are translated, sorted by fold.

    `fold_of` has the fold of each chosen row; `OTHER` is translated by the whole model. `counts` says why
    other rows are left out.
    """

    source: Path
    target: Path
    rows: IntArray
    fold_of: IntArray
    counts: PairCounts
    is_other: bool = False
    """Whether it is not the model's training text."""

    @classmethod
    def of_model(cls, model: Path, options: TextOptions) -> ListText:
        """Return the training text of a model: different pairs that are in one fold only."""
        models = FoldModels(model)
        folds = models.fold_of_pairs if options.jackknife else None
        source, target = (models.home / name for name in (SOURCE, TARGET))
        if not source.is_file():
            raise InputError(
                "has no training text, as imported models do not; name a text by {} and {}",
                "source",
                "target",
                path=model,
            )
        return cls._chosen(source, target, folds, options)

    @classmethod
    def given(
        cls, model: Path, source: Path, target: Path, options: TextOptions, jackknife: JackknifeOptions | None
    ) -> ListText:
        """Return other text; its folds are read, or looked up in the training text."""
        folds = None
        if jackknife is not None:
            models = FoldModels(model)
            sides: tuple[list[Texts], list[Texts]] = ([], [])
            for blocks in parallel_blocks([source, target]):
                for side, block in zip(sides, blocks, strict=True):
                    side.append(block)
            read = None if jackknife.fold_file is None else read_sentence_folds(jackknife.fold_file, models)
            lines = [list(Texts.joined(side)) for side in sides]
            found = sentence_folds(models, lines[0], lines[1], read)
            for message in found.messages:
                warnings.warn(message, TunesmithWarning, stacklevel=2)
            folds = found.fold_of
        return replace(cls._chosen(source, target, folds, options), is_other=True)

    @classmethod
    def _chosen(cls, source: Path, target: Path, folds: IntArray | None, options: TextOptions) -> ListText:
        text = [source, target]
        if folds is None:
            folds = np.full(sum(len(block) for block, _ in parallel_blocks(text)), OTHER, dtype=np.int64)
        usable = UsablePairs.of(text, folds, options.max_length)
        if options.pairs is not None:
            usable = usable.drawn(options.pairs, options.seed)
        if not len(usable.rows):
            raise InputError(f"has no sentence pair to translate; {usable.counts}", path=source)
        rows = usable.rows[np.lexsort((usable.rows, folds[usable.rows]))]
        return cls(source, target, rows, folds[rows], usable.counts)

    def __len__(self) -> int:
        return len(self.rows)

    def parts(self) -> Iterator[Part]:
        """Yield the parts of which each becomes a file."""
        number = 0
        for fold in np.unique(self.fold_of).tolist():
            rows = self.rows[self.fold_of == fold]
            for begin in range(0, len(rows), FILE_SENTENCES):
                yield Part(number, fold, rows[begin : begin + FILE_SENTENCES])
                number += 1

    def with_lines(self, parts: Sequence[Part]) -> Iterator[tuple[Part, tuple[Texts, Texts]]]:
        """Yield parts with both sides of their rows, some of them read at once."""
        return take_parts([self.source, self.target], parts, PARTS_READ)


def check_folds(model: Path, options: TextOptions) -> None:
    """Refuse to leave out folds of a model that was trained without them."""
    if options.jackknife and not (FoldModels(model).home / FOLDS).is_file():
        raise OptionError(
            f"{model} was not trained with folds, so that none can be left out: train it with"
            " `tunesmith train --folds 10`, or translate with the whole model by {}",
            "jackknife=False",
        )
