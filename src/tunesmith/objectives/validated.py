"""Risk that learns from some lists and is judged by others."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from tunesmith.candidates.pool import Pool
from tunesmith.errors import InputError
from tunesmith.metrics.base import Metric
from tunesmith.objectives.base import Box, StochasticObjective, Visits
from tunesmith.objectives.expected_metric import ExpectedMetric
from tunesmith.types import FloatArray

__all__ = ["Validated"]


@dataclass(frozen=True, eq=False)
class Validated(StochasticObjective):
    """Steps and gradients of the training lists, losses of the held-out ones.

    An optimizer that compares losses, as stochastic descent does after each epoch, then stops and keeps
    weights by lists that it does not learn from (Auli, Galley and Gao 2014, section 6.1).
    """

    training: ExpectedMetric
    held_out: ExpectedMetric
    gamma: float

    @classmethod
    def build(cls, *data: Any, seed: int = 1, threads: int = 1, share: float, gamma: float) -> Self:
        """Hold out a share of the lists, at least one, drawn by the seed."""
        pool: Pool
        metric: Metric
        pool, metric = data
        if len(pool) < 2:
            raise InputError("expected at least 2 lists, one to learn from and one held out; found 1")
        count = min(max(1, round(share * len(pool))), len(pool) - 1)
        drawn = np.random.default_rng([seed, len(pool)]).permutation(len(pool))
        held_out, training = (
            ExpectedMetric.build(pool.take_lists(np.sort(lists)), metric, threads=threads, gamma=gamma)
            for lists in (drawn[:count], drawn[count:])
        )
        return cls(training, held_out, gamma)

    @property
    def lists(self) -> int:
        return self.training.lists

    def loss(self, weights: FloatArray) -> float:
        """Return the loss of the held-out lists."""
        return replace(self.held_out, gamma=self.gamma).loss(weights)

    def loss_and_gradient(self, weights: FloatArray) -> tuple[float, FloatArray]:
        """Return loss and gradient of the training lists."""
        return replace(self.training, gamma=self.gamma).loss_and_gradient(weights)

    def descend(
        self, weights: FloatArray, squares: FloatArray, visits: Visits, box: Box
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        return replace(self.training, gamma=self.gamma).descend(weights, squares, visits, box)
