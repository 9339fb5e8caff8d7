"""Corpus risk: the metric of the expected statistics of the whole corpus."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tunesmith import _native
from tunesmith.candidates.features import Features
from tunesmith.candidates.pool import Pool
from tunesmith.errors import OptionError
from tunesmith.metrics.base import Metric
from tunesmith.metrics.differentiable import differentiable
from tunesmith.objectives.base import OBJECTIVES, SmoothObjective
from tunesmith.objectives.expected_metric import ExpectedMetric, check_gamma
from tunesmith.types import FloatArray, IntArray, Stats

__all__ = ["ExpectedStatistics", "smooth_guide"]


@OBJECTIVES.register("corpus-risk")
@dataclass(frozen=True, eq=False)
class ExpectedStatistics(SmoothObjective):
    """loss = -gain(S), S = sum over lists of sum_e p(e) * stats(e), p(e) = exp(gamma * score(e)) / Z.

    As gamma grows this becomes the corpus metric of the best candidates, what MERT optimizes
    (Smith and Eisner 2006; for BLEU Rosti et al. 2010 and Pauls, DeNero and Klein 2009).
    With v = d gain / d S and the reward r(e) = v . stats(e), the gradient is that of the expected
    reward: -gamma * sum_e p(e) (r(e) - E[r]) row(e). v depends on the whole corpus, so an
    evaluation is two passes: expectations, then the gradient. O(nonzeros + candidates * statistics).

    Kinks of the metric are rounded (`tunesmith.metrics.differentiable`): for BLEU, the brevity penalty.
    """

    offsets: IntArray
    features: Features
    threads: int
    stats: Stats
    metric: Metric
    gamma: float

    @classmethod
    def build(
        cls, pool: Pool, metric: Metric, *, seed: int = 1, threads: int = 1, gamma: float = 1.0
    ) -> ExpectedStatistics:
        check_gamma(gamma)
        stats = np.ascontiguousarray(pool.stats(metric, threads), dtype=np.float64)
        rounded = differentiable(metric)
        rounded.score_gradient(stats.sum(axis=0))  # refuses a metric without a gradient
        return cls(pool.offsets, pool.features, threads, stats, rounded, gamma)

    def loss(self, weights: FloatArray) -> float:
        return -float(self.metric.gain(self.expected(weights)))

    def loss_and_gradient(self, weights: FloatArray) -> tuple[float, FloatArray]:
        total = self.expected(weights)
        slope = self.metric.sign * self.metric.score_gradient(total)
        rewards = np.einsum("ij,j->i", self.stats, slope)
        risk = ExpectedMetric(self.offsets, self.features, self.threads, rewards, self.gamma)
        _, gradient = risk.loss_and_gradient(weights)
        return -float(self.metric.gain(total)), gradient * risk.lists

    def expected(self, weights: FloatArray) -> Stats:
        """Return the expected statistics of the corpus."""
        rows = self.features
        vector = np.ascontiguousarray(weights, dtype=np.float64)
        return _native.expected_stats(
            self.offsets,
            rows.offsets,
            rows.columns,
            rows.values,
            vector,
            self.gamma,
            self.stats,
            self.threads,
        )


def smooth_guide(pool: Pool, metric: Metric, threads: int = 1) -> SmoothObjective:
    """Return a smooth approximation of the corpus metric: expected sentence scores if it has no gradient."""
    try:
        return ExpectedStatistics.build(pool, metric, threads=threads)
    except OptionError:
        return ExpectedMetric.build(pool, metric, threads=threads)
