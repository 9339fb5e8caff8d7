"""The different sentence pairs of a model's training text that one fold alone contains."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, TypeVar

import numpy as np

from tunesmith.corpus.blocks import parallel_blocks
from tunesmith.corpus.clean import count_tokens
from tunesmith.corpus.line_keys import EMPTY, line_keys
from tunesmith.errors import InputError, OptionError
from tunesmith.model.jackknife.sentence_folds import pair_keys
from tunesmith.texts import Texts
from tunesmith.types import BoolArray, IntArray

__all__ = ["PairCounts", "UsablePairs", "take_lines", "take_parts"]


class _HasRows(Protocol):
    @property
    def rows(self) -> IntArray: ...


RowsPart = TypeVar("RowsPart", bound=_HasRows)


@dataclass(frozen=True)
class PairCounts:
    """The lines of a text, and how many are left out for which reason, each line for the first one.

    The first copy of a `repeated` pair is used, and not counted. Of a pair in `several_folds` no copy is
    used: the model without the fold of one would still know the others.
    """

    lines: int
    empty: int
    """Pairs of which a side is empty."""
    several_folds: int
    repeated: int
    long: int

    def __str__(self) -> str:
        return (
            f"of {self.lines:,} lines, {self.repeated:,} are repeated, {self.several_folds:,} are in several"
            f" folds, {self.empty:,} have an empty side and {self.long:,} are too long"
        )


@dataclass(frozen=True, eq=False)
class UsablePairs:
    """Rows (from 0) of a text whose pairs may be translated without their folds, in order; and the others."""

    rows: IntArray
    counts: PairCounts

    @classmethod
    def of(cls, text: Sequence[Path], folds: IntArray | None, max_length: int | None = None) -> UsablePairs:
        """Read the two sides of a text with these folds [none]; sides have at most `max_length` words."""
        keys, lengths, empty = [], [], []
        for source, target in parallel_blocks(text):
            sides = line_keys(source), line_keys(target)
            keys.append(pair_keys(*sides))
            empty.append((sides[0] == EMPTY) | (sides[1] == EMPTY))
            lengths.append(np.maximum(count_tokens(source), count_tokens(target)))
        mask = ~np.concatenate(empty)
        filled = np.flatnonzero(mask)
        fold_of = np.zeros(len(mask), np.int64) if folds is None else _of_lines(folds, len(mask), text[0])
        first, several_folds = _different(np.concatenate(keys)[filled], fold_of[filled])
        rows = filled[first]
        short = np.concatenate(lengths)[rows] <= (max_length or np.iinfo(np.int64).max)
        counts = PairCounts(
            lines=len(mask),
            empty=len(mask) - len(filled),
            several_folds=several_folds,
            repeated=len(filled) - several_folds - len(rows),
            long=int((~short).sum()),
        )
        return cls(rows[short], counts)

    @classmethod
    def filled(cls, text: Sequence[Path], folds: IntArray | None) -> UsablePairs:
        """Read the two sides of a text with these folds [none]: all pairs of which both sides have words."""
        mask = np.concatenate(
            [(count_tokens(one) > 0) & (count_tokens(other) > 0) for one, other in parallel_blocks(text)]
        )
        if folds is not None:
            _of_lines(folds, len(mask), text[0])
        rows = np.flatnonzero(mask)
        return cls(rows, PairCounts(len(mask), len(mask) - len(rows), 0, 0, 0))

    def drawn(self, pairs: int, seed: int) -> UsablePairs:
        """Return a random sample, in random order; more pairs than there are are an OptionError."""
        if pairs > len(self.rows):
            raise OptionError(
                "{} is {pairs}, but the training text has only {found} different pairs to draw from",
                "pairs",
                pairs=pairs,
                found=len(self.rows),
            )
        return replace(self, rows=np.random.default_rng(seed).choice(self.rows, pairs, replace=False))


def _of_lines(folds: IntArray, lines: int, path: Path) -> IntArray:
    if len(folds) != lines:
        raise InputError(f"has {lines} lines, but folds for {len(folds)}", path=path)
    return folds


def take_lines(text: Sequence[Path], rows: IntArray) -> list[Texts]:
    """Return the lines of both sides, in the order of the rows."""
    wanted = np.sort(rows)
    sides: tuple[list[Texts], list[Texts]] = ([], [])
    begin = 0
    for blocks in parallel_blocks(text):
        end = begin + len(blocks[0])
        inside = wanted[(wanted >= begin) & (wanted < end)] - begin
        for side, block in zip(sides, blocks, strict=True):
            side.append(block.take(inside))
        begin = end
    places = np.searchsorted(wanted, rows)
    return [Texts.joined(side).take(places) for side in sides]


def take_parts(
    text: Sequence[Path], parts: Sequence[RowsPart], at_once: int = 1000
) -> Iterator[tuple[RowsPart, tuple[Texts, Texts]]]:
    """Yield parts of a text with the lines of both sides. Reads the files once per `at_once` parts."""
    for first in range(0, len(parts), at_once):
        group = parts[first : first + at_once]
        source, target = take_lines(text, np.concatenate([part.rows for part in group]))
        begin = 0
        for part in group:
            own = np.arange(begin, begin + len(part.rows))
            yield part, (source.take(own), target.take(own))
            begin += len(part.rows)


def _different(keys: np.ndarray[tuple[int], np.dtype[np.uint64]], folds: IntArray) -> tuple[IntArray, int]:
    """Return the first row of each pair that is in one fold only, and the number of rows of all others."""
    if not len(keys):
        return np.zeros(0, dtype=np.int64), 0
    order = np.lexsort((folds, keys))
    begins = np.flatnonzero(np.concatenate([[True], np.diff(keys[order]) != 0]))
    ends = np.append(begins[1:], len(keys))
    single: BoolArray = folds[order[begins]] == folds[order[ends - 1]]
    return np.sort(order[begins[single]]), int((ends - begins)[~single].sum())
