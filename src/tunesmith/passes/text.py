"""The sentence pairs of a pass, the fold of each, and the pieces that they are cut into."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tunesmith.corpus import Alignments
from tunesmith.corpus.blocks import parallel_blocks
from tunesmith.decode.jackknife import found_folds
from tunesmith.errors import InputError, OptionError
from tunesmith.files import PathLike
from tunesmith.model.jackknife import FoldModels, JackknifeOptions
from tunesmith.model.jackknife.sentence_folds import OTHER
from tunesmith.model.jackknife.usable_pairs import PairCounts, UsablePairs, take_parts
from tunesmith.model.parts.names import SOURCE, TARGET
from tunesmith.texts import Texts
from tunesmith.types import IntArray

__all__ = ["Choice", "PassText", "Piece", "PieceLines", "naming_text"]

READ = 200_000
"""Sentences whose lines are read, and kept, at once."""

NativeLines: TypeAlias = tuple[npt.NDArray[np.uint8], IntArray]
"""A blob and offsets."""
Choice: TypeAlias = Callable[[Sequence[Path], IntArray | None], UsablePairs]
"""Which pairs of two files, and of these folds of their lines, are decoded."""


@dataclass(frozen=True, eq=False)
class Piece:
    """Some sentences of one fold, by their rows in the text, from 0."""

    number: int
    fold: int
    rows: IntArray


@dataclass(frozen=True, eq=False)
class PieceLines:
    """The lines of a piece, what errors call their text, and the files to write."""

    rows: IntArray
    sources: Texts
    targets: Texts
    text: str
    files: tuple[Path, ...] = ()
    links: Alignments | None = None
    """Their word alignment, if the pass needs it."""

    @property
    def native(self) -> tuple[NativeLines, NativeLines, npt.NDArray[np.uint32]]:
        """Both sides and the rows, as native code takes them."""
        sources, targets = ((side.blob, side.offsets) for side in (self.sources, self.targets))
        return sources, targets, self.rows.astype(np.uint32)

    def in_calls(
        self, most: int, call: Callable[[PieceLines], Sequence[int]], report: Callable[[int], None]
    ) -> list[int]:
        """Call a function with at most that many sentences at a time; return the sums of what it returns.

        Its errors number these sentences from 1.
        """
        sums = []
        for begin in range(0, len(self.rows), most):
            own = np.arange(begin, min(begin + most, len(self.rows)))
            rows, sources, targets = self.rows[own], self.sources.take(own), self.targets.take(own)
            part = replace(self, rows=rows, sources=sources, targets=targets, links=None)
            with naming_text(self.text, rows):
                sums.append(call(part))
            report(int(own[-1]) + 1)
        return [sum(column) for column in zip(*sums, strict=True)]


@contextmanager
def naming_text(text: str, rows: IntArray | None = None) -> Iterator[None]:
    """Add the text to errors of lines; with `rows`, these are the lines of sentences that errors number."""
    try:
        yield
    except InputError as error:
        if error.line is None or error.path is not None:
            raise
        line = error.line if rows is None else int(rows[error.line - 1]) + 1
        raise InputError(error.message, path=text, line=line) from None


@dataclass(frozen=True, eq=False)
class PassText:
    """Two tokenized files, line by line, and the rows (from 0) that are decoded, sorted by fold.

    `fold_of` has the fold of each of these rows; `OTHER` is decoded by the whole model. `counts` says why
    other rows are left out.
    """

    source: Path
    target: Path
    rows: IntArray
    fold_of: IntArray
    counts: PairCounts
    size: int
    """Sentences per piece; the last ones of a fold may be fewer."""
    is_other: bool = False
    """Whether it is not the model's training text."""
    links: Alignments | None = None
    """The word alignment of all lines, if the pass needs it."""

    @classmethod
    def of(
        cls,
        model: Path,
        source: PathLike | None,
        target: PathLike | None,
        jackknife: JackknifeOptions | None,
        choose: Choice,
        size: int,
    ) -> PassText:
        """Return the training text of a model, or other text; with `jackknife` the folds of its pairs."""
        if (source is None) != (target is None):
            raise OptionError("other text has two sides: give both {} and {}, or none", "source", "target")
        models, folds = FoldModels(model), None
        if source is None or target is None:
            sides = _own_text(models)
            if jackknife is not None and jackknife.fold_file is not None:
                raise OptionError(
                    "{} is about other text, which {} and {} name", "fold_file", "source", "target"
                )
            if jackknife is not None:
                folds = models.fold_of_pairs
        else:
            sides = Path(source).absolute(), Path(target).absolute()
            if jackknife is not None:
                folds = found_folds(models, jackknife, *_lines(sides)).fold_of
        chosen = choose(sides, folds)
        if not len(chosen.rows):
            raise InputError(f"has no sentence pair to translate; {chosen.counts}", path=sides[0])
        fold_of = np.full(len(chosen.rows), OTHER) if folds is None else folds[chosen.rows]
        order = np.lexsort((chosen.rows, fold_of))
        return cls(
            *sides,
            chosen.rows[order],
            fold_of[order],
            chosen.counts,
            size,
            is_other=source is not None,
        )

    def __len__(self) -> int:
        return len(self.rows)

    def pieces(self) -> list[Piece]:
        """Return the pieces, fold by fold."""
        found: list[Piece] = []
        for fold in np.unique(self.fold_of).tolist():
            rows = self.rows[self.fold_of == fold]
            for begin in range(0, len(rows), self.size):
                found.append(Piece(len(found), fold, rows[begin : begin + self.size]))
        return found

    def lines(
        self, pieces: Sequence[Piece], files: Callable[[int], tuple[Path, ...]]
    ) -> Iterator[PieceLines]:
        """Yield the lines of pieces, many of which are read at once, with the `files` of their numbers."""
        at_once = max(READ // self.size, 1)
        for piece, (sources, targets) in take_parts([self.source, self.target], pieces, at_once):
            links = None if self.links is None else self.links.take(piece.rows)
            yield PieceLines(piece.rows, sources, targets, str(self.source), files(piece.number), links)


def _own_text(models: FoldModels) -> tuple[Path, Path]:
    source, target = models.home / SOURCE, models.home / TARGET
    if not source.is_file():
        raise InputError(
            "has no training text, as imported models do not; name a text by {} and {}",
            "source",
            "target",
            path=models.model,
        )
    return source, target


def _lines(sides: Sequence[Path]) -> list[list[str]]:
    return [list(Texts.joined(blocks)) for blocks in zip(*parallel_blocks(sides), strict=True)]
