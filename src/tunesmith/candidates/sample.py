"""Smaller pools: the first or random candidates of each list."""

from __future__ import annotations

import numpy as np

from tunesmith.candidates.pool import Pool
from tunesmith.errors import OptionError
from tunesmith.options import check_seed
from tunesmith.types import IntArray

__all__ = ["head", "sample"]


def head(pool: Pool, n: int) -> Pool:
    """Return the first n candidates of each list, or all of a shorter one."""
    _check(n)
    place = np.arange(pool.n_candidates) - np.repeat(pool.offsets[:-1], np.diff(pool.offsets))
    return pool.take_rows(np.flatnonzero(place < n))


def sample(pool: Pool, n: int, seed: int = 1) -> Pool:
    """Return n candidates of each list, drawn uniformly without repetition, or all of a shorter one.

    Order is kept. The same pool, n and seed give the same sample. O(candidates log candidates).
    """
    _check(n)
    check_seed(seed)
    keys = np.random.default_rng(seed).random(pool.n_candidates)
    lists = np.repeat(np.arange(len(pool)), np.diff(pool.offsets))
    drawn: IntArray = np.lexsort((keys, lists))  # by list, then in random order
    place = np.arange(pool.n_candidates) - pool.offsets[lists]
    return pool.take_rows(np.sort(drawn[place < n]))


def _check(n: int) -> None:
    if n < 1:
        raise OptionError(f"n must be at least 1, not {n}")
