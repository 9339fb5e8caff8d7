"""Small metrics over columns that a pool carries, for tests that do not care about texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tunesmith.metrics.base import Metric, Segments
from tunesmith.types import FloatArray, Stats


@dataclass(frozen=True)
class Mean(Metric):
    """The mean of the column `quality`; statistics [quality, 1]."""

    name: ClassVar[str] = "mean"

    @property
    def width(self) -> int:
        return 2

    @property
    def signature(self) -> str:
        return self.name

    def measure(self, segments: Segments, threads: int = 1) -> Stats:
        quality = segments.scores["quality"]
        return np.stack([quality, np.ones_like(quality)], axis=1)

    def score(self, stats: Stats) -> FloatArray:
        values = np.asarray(stats)
        return np.asarray(values[..., 0] / values[..., 1])

    def score_gradient(self, stats: Stats) -> Stats:
        values = np.asarray(stats)
        total, count = values[..., 0], values[..., 1]
        return np.stack([1 / count, -total / count**2], axis=-1)


@dataclass(frozen=True)
class ErrorRate(Mean):
    """The same numbers as an error: less is better."""

    name: ClassVar[str] = "error"
    higher_is_better: ClassVar[bool] = False


@dataclass(frozen=True)
class Product(Metric):
    """A metric that, like BLEU, is not a mean: sqrt(a * b) / n over [a, b, n]; kinked nowhere."""

    name: ClassVar[str] = "product"

    @property
    def width(self) -> int:
        return 3

    @property
    def signature(self) -> str:
        return self.name

    def measure(self, segments: Segments, threads: int = 1) -> Stats:
        quality = segments.scores["quality"]
        return np.stack([quality, (1.5 - quality) ** 2, np.ones_like(quality)], axis=1)

    def score(self, stats: Stats) -> FloatArray:
        values = np.asarray(stats)
        return np.asarray(np.sqrt(values[..., 0] * values[..., 1]) / values[..., 2])

    def score_gradient(self, stats: Stats) -> Stats:
        values = np.asarray(stats)
        score = self.score(values)
        a, b, n = values[..., 0], values[..., 1], values[..., 2]
        return np.stack([score / (2 * a), score / (2 * b), -score / n], axis=-1)


@dataclass(frozen=True)
class Gradientless(Mean):
    """A metric that offers no gradient."""

    name: ClassVar[str] = "gradientless"

    def score_gradient(self, stats: Stats) -> Stats:
        return Metric.score_gradient(self, stats)
