"""chrF and chrF++ (Popović 2015, 2017): F scores of character and word n-grams."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tunesmith import _native
from tunesmith.metrics.base import METRICS, Metric, Segments
from tunesmith.metrics.components import Components
from tunesmith.metrics.options import require
from tunesmith.metrics.tokenization import prepare
from tunesmith.types import FloatArray, Stats

__all__ = ["Chrf"]

EPS = 1e-16


@METRICS.register("chrf")
@dataclass(frozen=True)
class Chrf(Metric):
    """chrF over [hypothesis, reference, match] n-grams of each character, then each word order.

    score = (1 + beta^2) P R / (beta^2 P + R)

    with P and R the means of match / hypothesis and match / reference over the orders of which both
    sides have n-grams. With `eps_smoothing` it is the mean of the orders' F scores instead.
    `word_order=2` is chrF++. With several references, each hypothesis is compared with the one that
    gives the best score. Scores equal sacrebleu's.
    """

    name: ClassVar[str] = "chrf"
    char_order: int = 6
    word_order: int = 0
    beta: float = 2.0
    whitespace: bool = False
    lowercase: bool = False
    eps_smoothing: bool = False

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        orders = f"char_order {self.char_order}, word_order {self.word_order}"
        require(self, min(self.char_order, self.word_order) >= 0, f"orders must be at least 0, not {orders}")
        require(self, 1 <= self.char_order + self.word_order <= 32, f"needs 1 to 32 orders, not {orders}")
        require(self, 0 < self.beta <= 1e6, f"beta must be more than 0, at most 1e6, not {self.beta}")

    @property
    def label(self) -> str:
        return "chrf++" if self == Chrf(word_order=2) else super().label

    @property
    def width(self) -> int:
        return 3 * (self.char_order + self.word_order)

    def measure(self, segments: Segments, threads: int = 1) -> Stats:
        texts = prepare(segments, lowercase=self.lowercase)
        return _native.chrf_stats(
            *texts.arrays,
            char_order=self.char_order,
            word_order=self.word_order,
            beta=self.beta,
            whitespace=self.whitespace,
            eps_smoothing=self.eps_smoothing,
            threads=threads,
        )

    def score(self, stats: Stats) -> FloatArray:
        return self._score(np.asarray(stats, dtype=np.float64))[0]

    def score_gradient(self, stats: Stats) -> Stats:
        """Return d score / d stats; zero where nothing matches."""
        values = np.asarray(stats, dtype=np.float64)
        return self._score(values)[1]

    def components(self, stats: Stats) -> Components:
        """Return the means of precision and recall over the orders of which both sides have n-grams."""
        hypothesis, reference, match = np.asarray(stats, dtype=np.float64).reshape(-1, 3).T
        both = (hypothesis > 0) & (reference > 0)
        if not both.any():
            return {"precision": 0.0, "recall": 0.0}
        precision, recall = (match[both] / side[both] for side in (hypothesis, reference))
        return {"precision": float(precision.mean()), "recall": float(recall.mean())}

    def size(self, stats: Stats) -> FloatArray:
        """Return the reference length in characters (in words if there is no character order)."""
        return np.asarray(stats)[..., 1]

    def scorer(self) -> _native.Scorer:
        return _native.chrf_scorer(self.char_order, self.word_order, self.beta, self.eps_smoothing)

    def _score(self, values: FloatArray) -> tuple[FloatArray, Stats]:
        hypothesis, reference, match = values[..., 0::3], values[..., 1::3], values[..., 2::3]
        found, wanted = ~(hypothesis <= 0), ~(reference <= 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            precision = np.where(found, match / hypothesis, EPS)
            recall = np.where(wanted, match / reference, EPS)
            if self.eps_smoothing:
                scores, by_precision, by_recall = self._f(precision, recall)
                score = np.where(self._weighted(precision, recall) <= 0, EPS, scores).mean(axis=-1)
                share = np.full(hypothesis.shape, 1.0 / hypothesis.shape[-1])
            else:
                both = found & wanted
                share = both / np.maximum(both.sum(axis=-1, keepdims=True), 1)
                means = [(np.where(both, part, 0.0) * share).sum(axis=-1) for part in (precision, recall)]
                score, *slopes = self._f(means[0], means[1])
                by_precision, by_recall = slopes[0][..., None], slopes[1][..., None]
                found = wanted = both
            gradient = np.empty_like(values)
            by_precision, by_recall = by_precision * share, by_recall * share
            gradient[..., 0::3] = np.where(found, -by_precision * precision / hypothesis, 0.0)
            gradient[..., 1::3] = np.where(wanted, -by_recall * recall / reference, 0.0)
            gradient[..., 2::3] = np.where(found, by_precision / hypothesis, 0.0)
            gradient[..., 2::3] += np.where(wanted, by_recall / reference, 0.0)
        return score, gradient

    def _weighted(self, precision: FloatArray, recall: FloatArray) -> FloatArray:
        return self.beta**2 * precision + recall

    def _f(self, precision: FloatArray, recall: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return F and its derivatives by precision and recall; zero if both are zero."""
        factor, weighted = self.beta**2, self._weighted(precision, recall)
        zero = weighted <= 0
        score = np.where(zero, 0.0, (1 + factor) * precision * recall / weighted)
        by_precision = np.where(zero, 0.0, (1 + factor) * (recall / weighted) ** 2)
        by_recall = np.where(zero, 0.0, (1 + factor) * factor * (precision / weighted) ** 2)
        return score, by_precision, by_recall
