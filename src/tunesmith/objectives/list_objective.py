"""Objectives that are means over candidate lists of a loss of the list's model scores.

A subclass names its native loss; scoring, gradients, threads and stochastic descent are here.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tunesmith import _native
from tunesmith.candidates.features import Features
from tunesmith.candidates.pool import Pool
from tunesmith.errors import InputError
from tunesmith.metrics.base import Metric
from tunesmith.objectives.base import Box, StochasticObjective, Visits
from tunesmith.types import FloatArray, IntArray

__all__ = ["ListObjective", "gains_of"]


@dataclass(frozen=True, eq=False)
class ListObjective(StochasticObjective):
    """loss(w) = sum over lists g of loss_g(F_g w) / units, units being the number of lists or pairs.

    An evaluation is one pass over the features, O(nonzeros), on `threads` threads.
    """

    offsets: IntArray
    features: Features
    threads: int

    @property
    @abstractmethod
    def kernel(self) -> _native.ListLoss:
        """The native loss of one list."""

    @property
    def lists(self) -> int:
        """The number of candidate lists."""
        return len(self.offsets) - 1

    @property
    def units(self) -> int:
        """The number of terms that the loss is a mean over."""
        return self.lists

    def loss_and_gradient(self, weights: FloatArray) -> tuple[float, FloatArray]:
        total, gradient = self._evaluate(weights, gradient=True)
        return total / self.units, gradient / self.units

    def loss(self, weights: FloatArray) -> float:
        return self._evaluate(weights, gradient=False)[0] / self.units

    def descend(
        self, weights: FloatArray, squares: FloatArray, visits: Visits, box: Box
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """O(nonzeros of the batch) per step, independent of the number of weights; sequential."""
        return _native.descend(
            self.kernel,
            *self._rows,
            weights,
            squares,
            visits.order,
            visits.batch,
            visits.rates,
            self.units / self.lists,
            box.lower,
            box.upper,
            box.free.view(np.uint8),
            box.l1,
            box.l2,
        )

    @property
    def _rows(self) -> tuple[IntArray, IntArray, npt.NDArray[np.int32], FloatArray]:
        return self.offsets, self.features.offsets, self.features.columns, self.features.values

    def _evaluate(self, weights: FloatArray, gradient: bool) -> tuple[float, FloatArray]:
        vector = np.ascontiguousarray(weights, dtype=np.float64)
        return _native.list_loss(self.kernel, *self._rows, vector, self.threads, gradient)


def gains_of(pool: Pool, metric: Metric, threads: int) -> FloatArray:
    """Return the sentence gain of every candidate; one that is not finite is an InputError."""
    gains = np.ascontiguousarray(metric.sentence_gain(pool.stats(metric, threads)), dtype=np.float64)
    if not np.isfinite(gains).all():
        row = int(np.argmin(np.isfinite(gains)))
        name = pool.ids[int(np.searchsorted(pool.offsets, row, side="right")) - 1]
        raise InputError(f"sentence {name!r}: a candidate's {metric.name} is {gains[row]}; expected a number")
    return gains
