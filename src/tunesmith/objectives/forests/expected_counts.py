"""The metric of the expected n-gram counts of forests: CoBLEU if the metric is BLEU."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tunesmith.candidates.pool import Pool
from tunesmith.forest.ngram_corpus import NgramCorpus
from tunesmith.forest.pool import ForestPool
from tunesmith.forest.store import MEMORY
from tunesmith.metrics.base import Metric
from tunesmith.metrics.counts import NgramCounts
from tunesmith.metrics.differentiable import differentiable
from tunesmith.metrics.plain_ngrams import require_ngram_counts
from tunesmith.objectives.base import OBJECTIVES, SmoothObjective
from tunesmith.objectives.expected_metric import check_gamma
from tunesmith.types import FloatArray, Stats

__all__ = ["ExpectedCounts"]


@OBJECTIVES.register("expected-counts")
@dataclass(frozen=True, eq=False)
class ExpectedCounts(SmoothObjective):
    """loss(w) = -log score(S), S = sum over sentences of the statistics of expected n-gram counts.

    With BLEU this is CoBLEU (Pauls, DeNero and Klein 2009): ln BLEU of clipped expected counts and expected
    length; works with any metric of n-gram counts (`Metric.stats_from_counts`) that has a gradient.
    With v_g = d log score / d E[c_g] and the edge reward r(e) = sum over g of v_g c(g, e), the gradient is
    E[r phi] - E[r] E[phi]. v depends on the whole corpus, so an evaluation is two passes. O(edges).

    At the clip of an expected count, the slope is the one from below, as in the paper's appendix. The kink
    of BLEU's brevity penalty is rounded (`tunesmith.metrics.differentiable`) unless `kinks`; then the slope
    at the kink is that of the penalty. Metrics where less is better have loss log score.
    """

    learns_from: ClassVar[type[Pool] | type[ForestPool]] = ForestPool

    corpus: NgramCorpus
    metric: Metric
    gamma: float = 1.0

    @classmethod
    def build(
        cls,
        forests: ForestPool,
        metric: Metric,
        *,
        seed: int = 1,
        threads: int = 1,
        gamma: float = 1.0,
        kinks: bool = False,
        memory: int | str = MEMORY,
    ) -> ExpectedCounts:
        check_gamma(gamma)
        require_ngram_counts(metric, "cobleu")
        chosen = metric if kinks else differentiable(metric)
        corpus = NgramCorpus(forests, metric.ngram_order, threads, memory)
        return cls(corpus, chosen, gamma)

    def loss(self, weights: FloatArray) -> float:
        return self._loss(self._total(self.corpus.counts(weights, self.gamma)))

    def loss_and_gradient(self, weights: FloatArray) -> tuple[float, FloatArray]:
        counts = self.corpus.counts(weights, self.gamma)
        total = self._total(counts)
        score = float(self.metric.score(total))
        if not score > 0:
            return self._loss(total), np.zeros_like(weights)
        slope = self.metric.sign / score * self.metric.score_gradient(total)
        values = self.metric.count_slopes(counts, np.broadcast_to(slope, (len(counts), len(slope))))
        _, gradient = self.corpus.reward(weights, values, scale=self.gamma)
        return self._loss(total), -gradient

    def score(self, weights: FloatArray) -> float:
        """Return the metric of the expected counts: CoBLEU on the scale of BLEU."""
        return float(self.metric.score(self._total(self.corpus.counts(weights, self.gamma))))

    def _total(self, counts: NgramCounts) -> Stats:
        total: Stats = self.metric.stats_from_counts(counts).sum(axis=0)
        return total

    def _loss(self, total: Stats) -> float:
        score = float(self.metric.score(total))
        return -self.metric.sign * math.log(score) if score > 0 else math.inf
