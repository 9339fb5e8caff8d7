"""Forest risk: the expected gain of derivations, for a gain that is a sum over edges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tunesmith.candidates.pool import Pool
from tunesmith.errors import OptionError
from tunesmith.forest.linear_bleu import linear_thetas
from tunesmith.forest.ngram_corpus import NgramCorpus
from tunesmith.forest.pool import ForestPool
from tunesmith.forest.store import MEMORY
from tunesmith.metrics.base import Metric
from tunesmith.metrics.counts import CountSlopes
from tunesmith.metrics.plain_ngrams import require_ngram_counts
from tunesmith.objectives.base import OBJECTIVES, SmoothObjective
from tunesmith.objectives.expected_metric import check_gamma
from tunesmith.types import FloatArray

__all__ = ["LinearGain"]


@OBJECTIVES.register("linear-gain")
@dataclass(frozen=True, eq=False)
class LinearGain(SmoothObjective):
    """loss = -(E[r] / words + temperature * H), means over sentences, r linear BLEU (Tromble et al. 2008).

    r(d) = theta_0 * length + sum over n of theta_n * matches_n is not clipped, so it is a sum over edges.
    E[r], the entropy H of derivations and their gradient are first- and second-order expectations
    (Li and Eisner 2009): one inside and one outside pass. Divided by the mean reference length, r is on the
    scale of BLEU. p(d) is proportional to exp(gamma * score(d)). A positive temperature keeps distributions
    from sharpening too soon; lowering it is deterministic annealing (Smith and Eisner 2006). O(edges).
    """

    learns_from: ClassVar[type[Pool] | type[ForestPool]] = ForestPool

    corpus: NgramCorpus
    thetas: FloatArray
    gamma: float = 1.0
    temperature: float = 0.0

    @classmethod
    def build(
        cls,
        forests: ForestPool,
        metric: Metric,
        *,
        seed: int = 1,
        threads: int = 1,
        gamma: float = 1.0,
        temperature: float = 0.0,
        precision: float = 0.85,
        ratio: float = 0.72,
        memory: int | str = MEMORY,
    ) -> LinearGain:
        check_gamma(gamma)
        if not np.isfinite(temperature):
            raise OptionError(f"the temperature must be a number, not {temperature}")
        require_ngram_counts(metric, "forest-risk")
        corpus = NgramCorpus(forests, metric.ngram_order, threads, memory)
        thetas = linear_thetas(metric.ngram_order, precision=precision, ratio=ratio)
        return cls(corpus, thetas, gamma, temperature)

    def loss(self, weights: FloatArray) -> float:
        counts, entropy = self.corpus.expected(weights, self.gamma)
        values = self._values
        gain = float(values.counts @ counts.counts + (values.totals * counts.totals).sum())
        return -(gain + self.temperature * float(entropy.sum())) / len(self.corpus)

    def loss_and_gradient(self, weights: FloatArray) -> tuple[float, FloatArray]:
        gain, gradient = self.corpus.reward(
            weights, self._values, scale=self.gamma, temperature=self.temperature
        )
        return -gain / len(self.corpus), -gradient / len(self.corpus)

    @property
    def _values(self) -> CountSlopes:
        references = self.corpus.references
        scale = 1.0 / max(float(references.reference_lengths.mean()), 1.0)
        totals = np.zeros((len(self.corpus), self.corpus.order))
        totals[:, 0] = self.thetas[0] * scale
        return CountSlopes(self.thetas[references.lengths] * scale, totals)
