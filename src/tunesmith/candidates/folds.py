"""Cross-validation folds of a pool."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tunesmith.candidates.pool import Pool
from tunesmith.errors import OptionError
from tunesmith.options import check_seed
from tunesmith.types import IntArray

__all__ = ["Fold", "fold_numbers", "folds"]


class Fold(NamedTuple):
    """One split: `held_out` has the sentences of this fold, `train` all others."""

    train: Pool
    held_out: Pool


def folds(pool: Pool, k: int, *, seed: int = 1, contiguous: bool = False) -> list[Fold]:
    """Split a pool by sentence into k folds whose sizes differ by at most one.

    Sentences are assigned at random by `seed`, or in k blocks if `contiguous` (documents stay together).
    Each pool keeps their order, references and computed statistics.
    """
    if not 2 <= k <= len(pool):
        raise OptionError(f"k must be from 2 to the number of sentences, {len(pool)}, not {k}")
    fold_of = fold_numbers(len(pool), k, seed=seed, contiguous=contiguous)
    return [
        Fold(
            pool.take_lists(np.flatnonzero(fold_of != fold)), pool.take_lists(np.flatnonzero(fold_of == fold))
        )
        for fold in range(k)
    ]


def fold_numbers(sentences: int, k: int, *, seed: int = 1, contiguous: bool = False) -> IntArray:
    """Return the fold of each sentence, from 0: what `folds` splits by."""
    check_seed(seed)
    order = np.arange(sentences) if contiguous else np.random.default_rng(seed).permutation(sentences)
    fold_of = np.empty(sentences, dtype=np.int64)
    for fold, members in enumerate(np.array_split(order, k)):
        fold_of[members] = fold
    return fold_of
