"""The different sentence pairs of a model's training text that one fold alone contains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from tunesmith.corpus.blocks import parallel_blocks
from tunesmith.corpus.clean import count_tokens
from tunesmith.corpus.line_keys import EMPTY, line_keys
from tunesmith.errors import OptionError
from tunesmith.model.jackknife.sentence_folds import pair_keys
from tunesmith.texts import Texts
from tunesmith.types import BoolArray, IntArray

__all__ = ["UsablePairs", "take_lines"]


@dataclass(frozen=True, eq=False)
class UsablePairs:
    """Rows (from 0) of a text whose pairs may be translated without their folds, in order.

    Of equal pairs, the first. `repeated` pairs are left out because a copy is in another fold, so that the
    model without their fold would still know them; `long` ones because of their length.
    """

    rows: IntArray
    repeated: int
    long: int

    @classmethod
    def of(cls, text: Sequence[Path], folds: IntArray, max_length: int | None = None) -> UsablePairs:
        """Read the two sides of a text with these folds; sides are at most `max_length` words [any]."""
        keys, lengths = [], []
        for source, target in parallel_blocks(text):
            keys.append(pair_keys(line_keys(source), line_keys(target)))
            lengths.append(np.maximum(count_tokens(source), count_tokens(target)))
        first, repeated = _different(np.concatenate(keys), folds)
        short = np.concatenate(lengths) <= (max_length or np.iinfo(np.int64).max)
        return cls(first[short[first]], repeated, int((~short[first]).sum()))

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


def _different(keys: np.ndarray[tuple[int], np.dtype[np.uint64]], folds: IntArray) -> tuple[IntArray, int]:
    """Return the first row of each pair that is in one fold only, and the number of rows of all others."""
    order = np.lexsort((folds, keys))
    begins = np.flatnonzero(np.concatenate([[True], np.diff(keys[order]) != 0]))
    ends = np.append(begins[1:], len(keys))
    single: BoolArray = folds[order[begins]] == folds[order[ends - 1]]
    single &= keys[order[begins]] != EMPTY
    return np.sort(order[begins[single]]), int((ends - begins)[~single].sum())
