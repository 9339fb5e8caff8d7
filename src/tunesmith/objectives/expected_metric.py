"""Risk: the expected sentence metric of the model's distribution over each list."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tunesmith import _native
from tunesmith.candidates.pool import Pool
from tunesmith.errors import OptionError
from tunesmith.metrics.base import Metric
from tunesmith.objectives.base import OBJECTIVES
from tunesmith.objectives.list_objective import ListObjective, gains_of
from tunesmith.types import FloatArray

__all__ = ["ExpectedMetric", "check_gamma"]


@OBJECTIVES.register("risk")
@dataclass(frozen=True, eq=False)
class ExpectedMetric(ListObjective):
    """loss = -mean over lists of sum_e p(e) * gain(e), with p(e) = exp(gamma * score(e)) / Z.

    The expected BLEU (xBLEU) of Auli, Galley and Gao (2014) when the metric is sentence BLEU.
    d loss / d score(e) = -gamma * p(e) * (gain(e) - E[gain]). A large gamma sharpens the
    distribution towards the best candidate, a small one flattens it. Not convex.
    O(nonzeros) per evaluation.
    """

    gains: FloatArray
    gamma: float

    @classmethod
    def build(
        cls, pool: Pool, metric: Metric, *, seed: int = 1, threads: int = 1, gamma: float = 1.0
    ) -> ExpectedMetric:
        check_gamma(gamma)
        return cls(pool.offsets, pool.features, threads, gains_of(pool, metric, threads), gamma)

    @property
    def kernel(self) -> _native.ListLoss:
        return _native.expected_gain(self.gains, self.gamma)


def check_gamma(gamma: float) -> None:
    """Raise OptionError unless gamma is a positive number."""
    if not (gamma > 0 and np.isfinite(gamma)):
        raise OptionError(f"gamma must be a positive number, not {gamma}")
