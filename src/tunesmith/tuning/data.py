"""What tuning asks of the data it learns from: `Pool` (candidate lists) and `ForestPool` both meet it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Protocol

import numpy.typing as npt

from tunesmith.metrics.base import Metric
from tunesmith.types import BoolArray, FloatArray, Stats

__all__ = ["TrainingData"]


class TrainingData(Protocol):
    """The translations that weights can choose from, per sentence; weights are in the order of the names."""

    noun: ClassVar[str]
    """What it consists of, as a plural: lists, forests."""
    baseline: ClassVar[str]
    """What `baseline_stats` are the statistics of, for result tables."""

    def __len__(self) -> int:
        """Return the number of sentences."""
        ...

    @property
    def feature_names(self) -> tuple[str, ...]:
        """The names of the features, in the order of weight arrays."""
        ...

    @property
    def contents(self) -> str:
        """How large it is: `480 candidates, 12 features`."""
        ...

    def best_stats(self, metric: Metric, weights: FloatArray, threads: int | None = None) -> Stats:
        """Return the statistics of the translations that the weights rank first, one row per sentence."""
        ...

    def baseline_stats(self, metric: Metric, start: FloatArray, threads: int | None = None) -> Stats:
        """Return the statistics of the translations preferred before tuning."""
        ...

    def refuse_hopeless(self, metric: Metric, free: BoolArray, threads: int | None = None) -> None:
        """Raise DegenerateError if no weights of the `free` features can make a difference."""
        ...

    def fingerprint_arrays(self, metric: Metric, threads: int | None = None) -> Sequence[npt.NDArray[Any]]:
        """Return everything that a result depends on, except the feature names."""
        ...
