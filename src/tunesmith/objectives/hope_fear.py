"""The hope/fear hinge of batch MIRA (Cherry and Foster 2012), one pass at a time."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from tunesmith import _native
from tunesmith.candidates.pool import Pool
from tunesmith.metrics.base import Metric
from tunesmith.objectives.base import OBJECTIVES, Objective
from tunesmith.objectives.corpus_error import corpus_loss
from tunesmith.types import FloatArray, IntArray, Stats

__all__ = ["HopeFear", "MarginObjective", "Passed"]


@dataclass(frozen=True, eq=False)
class Passed:
    """State between passes: weights, their drift (for the average), background and step count."""

    weights: FloatArray
    drift: FloatArray
    background: Stats
    steps: int
    updates: int = 0

    @classmethod
    def start(cls, weights: FloatArray, width: int) -> Passed:
        """Return the state before the first pass; a background of ones keeps early scores smooth."""
        return cls(weights, np.zeros_like(weights), np.ones(width), 0)

    @property
    def average(self) -> FloatArray:
        """The mean of the weights over all steps so far."""
        return self.weights - self.drift / max(self.steps, 1)


class MarginObjective(Objective):
    """An objective that is learned online, in passes over candidate lists or forests."""

    @property
    @abstractmethod
    def lists(self) -> int:
        """The number of lists, or of sentences."""

    @abstractmethod
    def begin(self, weights: FloatArray) -> Passed:
        """Return the state before the first pass."""

    @abstractmethod
    def learn(
        self, order: IntArray, aggressiveness: float, lower: FloatArray, upper: FloatArray, at: Passed
    ) -> Passed:
        """Visit the lists in the given order, updating the weights after each, within their bounds."""


@OBJECTIVES.register("hope-fear")
@dataclass(frozen=True, eq=False)
class HopeFear(MarginObjective):
    """Margins between hope and fear candidates, scored against a decaying background of past hopes.

    Updates follow the margins; `loss`, by which the best pass is chosen, is the corpus loss -gain of the
    weights, as in kbmira.
    """

    pool: Pool
    metric: Metric
    decay: float = 0.999
    threads: int = 1

    @classmethod
    def build(cls, pool: Pool, metric: Metric, *, seed: int = 1, threads: int = 1, **options: Any) -> Self:
        return cls(pool, metric, threads=threads, **options)

    def loss(self, weights: FloatArray) -> float:
        return corpus_loss(self.pool, self.metric, weights, self.threads)

    @property
    def lists(self) -> int:
        return len(self.pool)

    def begin(self, weights: FloatArray) -> Passed:
        return Passed.start(weights, self.metric.width)

    def learn(
        self, order: IntArray, aggressiveness: float, lower: FloatArray, upper: FloatArray, at: Passed
    ) -> Passed:
        features = self.pool.features
        return Passed(
            *_native.hope_fear_pass(
                self.pool.offsets,
                features.offsets,
                features.columns,
                features.values,
                self.pool.stats(self.metric, self.threads),
                self.metric.scorer(),
                order,
                aggressiveness,
                self.decay,
                lower,
                upper,
                at.weights,
                at.drift,
                at.background,
                at.steps,
            )
        )
