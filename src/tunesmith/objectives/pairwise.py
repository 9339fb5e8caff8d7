"""Pairwise ranking: logistic loss on sampled pairs of candidates (Hopkins and May 2011, PRO)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tunesmith import _native
from tunesmith.candidates.pool import Pool
from tunesmith.errors import OptionError
from tunesmith.metrics.base import Metric
from tunesmith.objectives.base import OBJECTIVES
from tunesmith.objectives.list_objective import ListObjective, gains_of
from tunesmith.types import IntArray

__all__ = ["Pairwise"]


@OBJECTIVES.register("pairwise")
@dataclass(frozen=True, eq=False)
class Pairwise(ListObjective):
    """loss = mean over pairs of log(1 + exp(-(score(better) - score(worse)))).

    From each list `samples` pairs are drawn with replacement; of those whose sentence gains differ
    by at least `difference` the `kept` with the largest difference remain. A pair and its mirror
    image have the same logistic loss, so only one is used. Convex. Only rows of candidates in pairs
    are stored, and scores are subtracted, not rows: O(nonzeros of these rows + pairs) per
    evaluation. Without any pair the loss is zero.
    """

    pair_offsets: IntArray
    better: IntArray
    worse: IntArray

    @classmethod
    def build(
        cls,
        pool: Pool,
        metric: Metric,
        *,
        seed: int = 1,
        threads: int = 1,
        samples: int = 5000,
        kept: int = 50,
        difference: float = 0.05,
    ) -> Pairwise:
        for name, count in {"samples": samples, "kept": kept}.items():
            if count < 1:
                raise OptionError(f"{name} must be at least 1, not {count}")
        if not difference >= 0:
            raise OptionError(f"difference must be at least 0, not {difference}")
        gains = gains_of(pool, metric, threads)
        pair_offsets, better, worse = _native.sample_pairs(
            pool.offsets, gains, samples, kept, difference, seed, threads
        )
        rows, places = np.unique(np.concatenate([better, worse]), return_inverse=True)
        better, worse = np.split(places.astype(np.int64), 2)
        offsets = np.searchsorted(rows, pool.offsets).astype(np.int64)
        return cls(offsets, pool.features.take(rows), threads, pair_offsets, better, worse)

    @property
    def kernel(self) -> _native.ListLoss:
        return _native.pairwise_logistic(self.pair_offsets, self.better, self.worse)

    @property
    def pairs(self) -> int:
        """The number of pairs."""
        return len(self.better)

    @property
    def units(self) -> int:
        return max(self.pairs, 1)
