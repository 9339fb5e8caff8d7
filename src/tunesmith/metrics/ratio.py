"""Metrics that are a ratio of two sums: error rates and means."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tunesmith import _native
from tunesmith.types import FloatArray, Stats

__all__ = ["Ratio"]


class Ratio:
    """Base of metrics over statistics [numerator, denominator].

    score = numerator / denominator; if the denominator is 0 it is 1 for a positive numerator (all words
    are insertions), else 0.
    """

    if TYPE_CHECKING:

        @property
        def sign(self) -> float:
            """See `Metric`."""

    @property
    def width(self) -> int:
        """The number of statistics."""
        return 2

    def score(self, stats: Stats) -> FloatArray:
        """Return numerator / denominator."""
        values = np.asarray(stats, dtype=np.float64)
        numerator, denominator = values[..., 0], values[..., 1]
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(denominator == 0, numerator > 0, numerator / denominator)

    def score_gradient(self, stats: Stats) -> Stats:
        """Return [1 / denominator, -numerator / denominator^2]; zero if the denominator is 0."""
        values = np.asarray(stats, dtype=np.float64)
        numerator, denominator = values[..., 0], values[..., 1]
        with np.errstate(divide="ignore", invalid="ignore"):
            gradient = np.stack([1.0 / denominator, -numerator / denominator**2], axis=-1)
        return np.where(denominator[..., None] == 0, 0.0, gradient)

    def size(self, stats: Stats) -> FloatArray:
        """Return the denominator."""
        return np.asarray(stats, dtype=np.float64)[..., 1]

    def scorer(self) -> _native.Scorer:
        """Return the native twin."""
        return _native.ratio_scorer(self.sign)
