"""Differentiable metrics, for gradient-based learning on expected statistics.

`differentiable(metric)` returns a metric over the same statistics with a continuous gradient: the
metric itself unless a smooth form is registered here for its class.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import singledispatch
from typing import ClassVar

import numpy as np

from tunesmith.metrics.base import Metric, Segments
from tunesmith.metrics.bleu import Bleu
from tunesmith.metrics.combined import Combined
from tunesmith.metrics.counts import CountSlopes, NgramCounts
from tunesmith.metrics.precomputed import PrecomputedStats
from tunesmith.types import FloatArray, Stats

__all__ = ["SmoothBrevityBleu", "differentiable"]


@singledispatch
def differentiable(metric: Metric) -> Metric:
    """Return the smooth form of a metric, for gradients of expected statistics."""
    return metric


@dataclass(frozen=True)
class SmoothBrevityBleu(Metric):
    """BLEU with a brevity penalty that is smooth at equal lengths of hypothesis and reference.

    With x = 1 - r / c the penalty min(1, exp(x)) becomes phi(x) = 1 + (exp(x) - 1) / (1 + exp(kappa * x)),
    the smooth step of Rosti et al. (2010): equal to it at x = 0, within 1 / (e * kappa) everywhere,
    and within rounding of it away from 0. The precisions, smoothing included, are those of `bleu`.
    """

    name: ClassVar[str] = "bleu"
    bleu: Bleu
    kappa: float = 1000.0

    def __post_init__(self) -> None:
        """Leave the check of the options to `bleu`."""

    @property
    def width(self) -> int:
        return self.bleu.width

    @property
    def signature(self) -> str:
        return f"{self.bleu.signature}|brevity:smooth{self.kappa:g}"

    @property
    def label(self) -> str:
        return self.bleu.label

    def measure(self, segments: Segments, threads: int = 1) -> Stats:
        return self.bleu.measure(segments, threads)

    def score(self, stats: Stats) -> FloatArray:
        return self.bleu.score(stats) * self._rounding(stats)[0]

    def score_gradient(self, stats: Stats) -> Stats:
        """Return d score / d stats by the product rule, with dx = r / c^2 dc - 1 / c dr."""
        values = np.asarray(stats, dtype=np.float64)
        factor, slope = self._rounding(values)
        gradient = factor[..., None] * self.bleu.score_gradient(values)
        with np.errstate(divide="ignore", invalid="ignore"):
            per_word = np.nan_to_num(self.bleu.score(values) * slope / values[..., 1])
            gradient[..., 1] += np.nan_to_num(per_word * values[..., -1] / values[..., 1])
        gradient[..., -1] -= per_word
        return gradient

    @property
    def ngram_order(self) -> int:
        return self.bleu.ngram_order

    def stats_from_counts(self, counts: NgramCounts) -> Stats:
        return self.bleu.stats_from_counts(counts)

    def count_slopes(self, counts: NgramCounts, slopes: Stats) -> CountSlopes:
        return self.bleu.count_slopes(counts, slopes)

    def sentence_score(self, stats: Stats, background: Stats | None = None) -> FloatArray:
        return self.bleu.sentence_score(stats, background)

    def size(self, stats: Stats) -> FloatArray:
        return self.bleu.size(stats)

    def _rounding(self, stats: Stats) -> tuple[FloatArray, FloatArray]:
        """Return phi(x) / min(1, exp(x)) and its derivative in x; 1 and 0 for an empty hypothesis.

        For x < 0 it is 1 + (1 - e^x) e^((kappa - 1) x) / (1 + e^(kappa x)), which cannot overflow;
        at x = 0 the derivative is taken from this side, as in BLEU.
        """
        values, kappa = np.asarray(stats, dtype=np.float64), self.kappa
        with np.errstate(divide="ignore", invalid="ignore"):
            x = np.nan_to_num(1.0 - values[..., -1] / values[..., 1], neginf=-np.inf)
        short = np.minimum(x, 0.0)
        fading, below = np.exp((kappa - 1.0) * short), np.exp(kappa * short)
        before = -np.expm1(short) * fading / (1.0 + below)
        slope_before = before * (kappa - 1.0 - kappa * below / (1.0 + below)) - below / (1.0 + below)
        long = np.maximum(x, 0.0)
        step = np.exp(-np.logaddexp(0.0, kappa * long))
        after = np.expm1(long) * step
        slope_after = step * np.exp(long) - after * kappa * (1.0 - step)
        is_short = x <= 0
        return 1.0 + np.where(is_short, before, after), np.where(is_short, slope_before, slope_after)


@differentiable.register
def _(metric: Bleu) -> Metric:
    return SmoothBrevityBleu(metric)


@differentiable.register
def _(metric: Combined) -> Metric:
    return dataclasses.replace(metric, parts=tuple(differentiable(part) for part in metric.parts))


@differentiable.register
def _(metric: PrecomputedStats) -> Metric:
    return PrecomputedStats(metric.matrix, differentiable(metric.metric))
