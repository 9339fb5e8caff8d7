"""Plackett-Luce: the likelihood of the best k candidates in their order (Xia, Zhai and Wang 2019)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tunesmith import _native
from tunesmith.candidates.pool import Pool
from tunesmith.errors import OptionError
from tunesmith.metrics.base import Metric
from tunesmith.objectives.base import OBJECTIVES
from tunesmith.objectives.list_objective import ListObjective, gains_of
from tunesmith.types import FloatArray, IntArray

__all__ = ["PlackettLuce", "one_per_tie", "rank"]


@OBJECTIVES.register("pl")
@dataclass(frozen=True, eq=False)
class PlackettLuce(ListObjective):
    """PL(k): loss = mean over lists of sum_{j=1..min(k,N)} [log sum_{t=j..N} exp(s_pi(t)) - s_pi(j)].

    pi is the permutation by falling sentence gain, ties in random order. The inner sum runs over
    all candidates not ranked before j, ranked later or not at all. k = 1 is the likelihood of one
    best candidate. Convex in the weights. O(nonzeros) per evaluation.
    """

    ranked_offsets: IntArray
    ranked: IntArray

    @classmethod
    def build(
        cls, pool: Pool, metric: Metric, *, seed: int = 1, threads: int = 1, k: int = 5
    ) -> PlackettLuce:
        if k < 1:
            raise OptionError(f"k must be at least 1, not {k}")
        order = rank(pool.offsets, gains_of(pool, metric, threads), seed)
        places = np.arange(len(order)) - np.repeat(pool.offsets[:-1], np.diff(pool.offsets))
        ranked_offsets = np.zeros(len(pool) + 1, dtype=np.int64)
        np.cumsum(np.minimum(np.diff(pool.offsets), k), out=ranked_offsets[1:])
        return cls(pool.offsets, pool.features, threads, ranked_offsets, order[places < k])

    @property
    def kernel(self) -> _native.ListLoss:
        return _native.plackett_luce(self.ranked_offsets, self.ranked)


def rank(offsets: IntArray, gains: FloatArray, seed: int) -> IntArray:
    """Return the rows of each list by falling gain; of equal gains the order is random.

    The order within a list depends on the seed, the list's number and its gains, not on other lists.
    """
    lists = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    return np.lexsort((_native.list_uniforms(offsets, seed), -gains, lists)).astype(np.int64)


def one_per_tie(offsets: IntArray, gains: FloatArray, seed: int) -> IntArray:
    """Return the sorted rows that are left when one of the candidates with equal gain in a list stays.

    Which one stays is random, as in the order of `rank`. O(candidates log candidates).
    """
    order = rank(offsets, gains, seed)
    lists = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))  # the order keeps lists together
    first = np.ones(len(order), dtype=np.bool_)
    first[1:] = (np.diff(gains[order]) != 0) | (np.diff(lists) != 0)
    return np.sort(order[first])
