"""Conditional likelihood of the best candidate of each list."""

from __future__ import annotations

from dataclasses import dataclass

from tunesmith import _native
from tunesmith.candidates.pool import Pool
from tunesmith.metrics.base import Metric
from tunesmith.objectives.base import OBJECTIVES
from tunesmith.objectives.list_objective import ListObjective, gains_of
from tunesmith.types import FloatArray

__all__ = ["BestLikelihood"]


@OBJECTIVES.register("cll")
@dataclass(frozen=True, eq=False)
class BestLikelihood(ListObjective):
    """loss = -mean over lists of log sum_{e best} p(e), with p(e) = exp(score(e)) / Z.

    All candidates with the largest sentence gain are best and their probabilities add up, so ties are
    not broken; with one best candidate this is PL(1). Convex if no list has ties. Lists whose gains are
    all equal have loss 0. O(nonzeros) per evaluation.
    """

    gains: FloatArray

    @classmethod
    def build(cls, pool: Pool, metric: Metric, *, seed: int = 1, threads: int = 1) -> BestLikelihood:
        return cls(pool.offsets, pool.features, threads, gains_of(pool, metric, threads))

    @property
    def kernel(self) -> _native.ListLoss:
        return _native.best_likelihood(self.gains)
