"""Metrics without kinks, for learners that follow gradients of expected statistics.

`smooth(metric)` returns a metric over the same statistics whose score is differentiable wherever
it is positive: the metric itself unless a rounded form is registered here for its class.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatch
from typing import ClassVar

import numpy as np

from tunesmith.metrics.base import Metric, Segments
from tunesmith.metrics.bleu import Bleu
from tunesmith.types import FloatArray, Stats

__all__ = ["SmoothBrevityBleu", "smooth"]


@singledispatch
def smooth(metric: Metric) -> Metric:
    """Return the metric with its kinks rounded, for gradients of expected statistics."""
    return metric


@dataclass(frozen=True)
class SmoothBrevityBleu(Metric):
    """BLEU whose brevity penalty has no kink where hypothesis and reference are equally long.

    With x = 1 - r / c the penalty min(1, exp(x)) becomes phi(x) = 1 + (exp(x) - 1) / (1 + exp(kappa * x)),
    the smooth step of Rosti et al. (2010): within 1 / (e * kappa) of the kinked one, equal to 1 at
    x = 0, and within rounding of it elsewhere. No match of some order scores 0, with gradient 0.
    """

    name: ClassVar[str] = "bleu"
    bleu: Bleu
    kappa: float = 1000.0

    @property
    def width(self) -> int:
        return self.bleu.width

    @property
    def signature(self) -> str:
        return f"{self.bleu.signature}|brevity:smooth{self.kappa:g}"

    def measure(self, segments: Segments, threads: int = 1) -> Stats:
        return self.bleu.measure(segments, threads)

    def score(self, stats: Stats) -> FloatArray:
        values = np.asarray(stats, dtype=np.float64)
        matches, totals = values[..., 0:-1:2], values[..., 1:-1:2]
        with np.errstate(divide="ignore", invalid="ignore"):
            precision = np.exp(np.log(matches / totals).mean(axis=-1))
            result = precision * self._brevity(values)[0]
        return np.where((matches > 0).all(axis=-1), result, 0.0)

    def score_gradient(self, stats: Stats) -> Stats:
        """d log BLEU = sum_n (dm_n / m_n - dt_n / t_n) / N + phi'(x) / phi(x) * dx, x = 1 - r / t_1."""
        values = np.asarray(stats, dtype=np.float64)
        matches, totals, reference = values[..., 0:-1:2], values[..., 1:-1:2], values[..., -1]
        gradient = np.zeros_like(values)
        with np.errstate(divide="ignore", invalid="ignore"):
            penalty, slope = self._brevity(values)
            gradient[..., 0:-1:2] = 1.0 / (self.bleu.order * matches)
            gradient[..., 1:-1:2] = -1.0 / (self.bleu.order * totals)
            gradient[..., 1] += slope / penalty * reference / totals[..., 0] ** 2
            gradient[..., -1] = -slope / penalty / totals[..., 0]
            gradient *= self.score(values)[..., None]
        return np.where((matches > 0).all(axis=-1, keepdims=True), gradient, 0.0)

    def size(self, stats: Stats) -> FloatArray:
        return self.bleu.size(stats)

    def _brevity(self, values: Stats) -> tuple[FloatArray, FloatArray]:
        """Return phi(x) and its derivative at x = 1 - r / c."""
        x = 1.0 - values[..., -1] / values[..., 1]
        # 1 / (1 + exp(kappa * x)), without overflow far from the kink.
        step = np.exp(-np.logaddexp(0.0, self.kappa * x))
        short = np.exp(x)
        return 1.0 + (short - 1.0) * step, step * (short - (short - 1.0) * self.kappa * (1.0 - step))


@smooth.register
def _(metric: Bleu) -> Metric:
    return SmoothBrevityBleu(metric)
