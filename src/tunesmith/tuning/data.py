"""The interface of training data, which `Pool` (candidate lists) and `ForestPool` implement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Protocol

import numpy.typing as npt

from tunesmith.metrics.base import Metric
from tunesmith.texts import Texts
from tunesmith.types import BoolArray, FloatArray, Stats

__all__ = ["TrainingData"]


class TrainingData(Protocol):
    """The translations that weights can choose from, per sentence; weights are in the order of the names."""

    noun: ClassVar[str]
    """Its items, as a plural: lists, forests."""
    texts_noun: ClassVar[str]
    """What `sample_texts` returns, as messages call it."""
    baseline: ClassVar[str]
    """Title of `baseline_stats` in result tables."""

    @property
    def references(self) -> tuple[Texts, ...]:
        """The references, each with one text per sentence; empty if there are none."""
        ...

    def __len__(self) -> int:
        """Return the number of sentences."""
        ...

    @property
    def feature_names(self) -> tuple[str, ...]:
        """The names of the features, in the order of weight arrays."""
        ...

    @property
    def contents(self) -> str:
        """Its size: `480 candidates, 12 features`."""
        ...

    def sample_texts(self, most: int) -> Texts | None:
        """Return a translation of each of the first sentences, `most` at most; None if there are no texts."""
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
        """Return all data that a result depends on, except the feature names."""
        ...
