"""What an objective is: a loss of the weights over one pool, smaller is better.

A loss is a mean over the pool's lists, so that its size does not depend on the corpus. Penalties
are not part of it: they belong to the space of weights (`tunesmith.optimizers.space`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self

from tunesmith.candidates.pool import Pool
from tunesmith.metrics.base import Metric
from tunesmith.registry import Registry
from tunesmith.types import FloatArray

__all__ = ["OBJECTIVES", "Objective", "SmoothObjective"]

OBJECTIVES: Registry[type[Objective]] = Registry("objective", "tunesmith.objectives")


class Objective(ABC):
    """A loss of the weights; registered under a name and built from a pool and a metric."""

    @classmethod
    @abstractmethod
    def build(cls, pool: Pool, metric: Metric, *, seed: int = 1, threads: int = 1, **options: Any) -> Self:
        """Build the objective; whatever is random in it follows `seed`."""

    @abstractmethod
    def loss(self, weights: FloatArray) -> float:
        """Return the loss; the same for any number of threads."""


class SmoothObjective(Objective):
    """An objective with a gradient. Contract tests check every registered one by finite differences."""

    @abstractmethod
    def loss_and_gradient(self, weights: FloatArray) -> tuple[float, FloatArray]:
        """Return the loss and d loss / d weights."""

    def loss(self, weights: FloatArray) -> float:
        """Return the loss alone."""
        return self.loss_and_gradient(weights)[0]
