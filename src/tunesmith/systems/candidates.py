"""The candidates of one sentence under the weights when it was translated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from tunesmith import _native
from tunesmith.metrics.base import Metric, Segments
from tunesmith.texts import Texts
from tunesmith.types import FloatArray, Stats

__all__ = ["Candidates", "Ranked", "difference_of", "stats_of"]


class Vectors(Protocol):
    """Candidates whose features can be asked for."""

    def features(self, index: int) -> _native.FeatureVector:
        """Return the features of a candidate, dense and sparse; computed for the few that are asked for."""
        ...


class Candidates(Vectors, Protocol):
    """The translations of one sentence, at least one."""

    @property
    def scores(self) -> FloatArray:
        """The model scores."""
        ...

    def stats(self, metric: Metric, references: Sequence[Texts]) -> Stats:
        """Return the statistics of a metric, one row each; `references` are those of the sentence."""
        ...

    def difference(self, plus: int, minus: int) -> _native.FeatureVector:
        """Return the features of one candidate minus those of another, without zeros."""
        ...


@dataclass(frozen=True)
class Ranked:
    """What a decoder returns for a sentence: texts, scores, and a function for features."""

    texts: Texts
    scores: FloatArray
    vector: Callable[[int], _native.FeatureVector]

    def stats(self, metric: Metric, references: Sequence[Texts]) -> Stats:
        return stats_of(self.texts, metric, references)

    def features(self, index: int) -> _native.FeatureVector:
        return self.vector(index)

    def difference(self, plus: int, minus: int) -> _native.FeatureVector:
        return difference_of(self, plus, minus)


def stats_of(texts: Texts, metric: Metric, references: Sequence[Texts]) -> Stats:
    """Return the statistics of translations of one sentence, given its references."""
    return metric.measure(Segments(texts, np.array([0, len(texts)]), references))


def difference_of(candidates: Vectors, plus: int, minus: int) -> _native.FeatureVector:
    """Return the difference of two feature vectors: entries of `plus` first, then those of `minus` alone."""
    difference = candidates.features(plus).copy()
    difference.add(candidates.features(minus), -1.0)
    difference.drop_zeros()
    return difference
