"""The candidates of one sentence under the weights when it was translated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from tunesmith import _native
from tunesmith.metrics.base import Metric, Segments
from tunesmith.texts import Texts
from tunesmith.types import FloatArray, Stats

__all__ = ["Candidates", "Ranked", "difference_of"]


class Candidates(Protocol):
    """The translations of one sentence, at least one."""

    @property
    def scores(self) -> FloatArray:
        """The model scores."""
        ...

    @property
    def stats(self) -> Stats:
        """The statistics of the metric, one row each."""
        ...

    def features(self, index: int) -> _native.FeatureVector:
        """Return the features of a candidate, dense and sparse; computed for the few that are asked for."""
        ...

    def difference(self, plus: int, minus: int) -> _native.FeatureVector:
        """Return the features of one candidate minus those of another, without zeros."""
        ...


@dataclass(frozen=True)
class Ranked:
    """What a decoder returns for a sentence: texts, scores, and a function for features; with a metric, and
    the references of the sentence."""

    texts: Texts
    scores: FloatArray
    vector: Callable[[int], _native.FeatureVector]
    metric: Metric
    references: Sequence[Texts]

    @cached_property
    def stats(self) -> Stats:
        segments = Segments(self.texts, np.array([0, len(self.texts)]), self.references)
        return self.metric.measure(segments)

    def features(self, index: int) -> _native.FeatureVector:
        return self.vector(index)

    def difference(self, plus: int, minus: int) -> _native.FeatureVector:
        return difference_of(self, plus, minus)


def difference_of(candidates: Candidates, plus: int, minus: int) -> _native.FeatureVector:
    """Return the difference of two feature vectors: entries of `plus` first, then those of `minus` alone."""
    difference = candidates.features(plus).copy()
    difference.add(candidates.features(minus), -1.0)
    difference.drop_zeros()
    return difference
