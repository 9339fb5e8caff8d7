"""The corpus metric of the best candidates: piecewise constant, with an exact profile along any line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np

from tunesmith import _native
from tunesmith.candidates.features import check_finite_scores
from tunesmith.candidates.pool import Pool
from tunesmith.metrics.base import Metric
from tunesmith.objectives.base import OBJECTIVES
from tunesmith.objectives.line_objective import (
    EVERYWHERE,
    Direction,
    EvaluatedPoint,
    LineObjective,
    LineRange,
    PreparedDirection,
    Profile,
)
from tunesmith.types import FloatArray, IntArray

__all__ = ["CorpusError", "corpus_loss"]


def corpus_loss(pool: Pool, metric: Metric, weights: FloatArray, threads: int = 1) -> float:
    """Return -gain of the candidates that the weights rank first.

    Zero weights rank nothing, and their loss must not depend on the order of candidates: it is -gain of
    the mean statistics of each list, summed over lists.
    """
    if weights.any():
        return -float(metric.gain(pool.best_stats(metric, weights, threads).sum(axis=0)))
    stats = pool.stats(metric, threads)
    means = np.add.reduceat(stats, pool.offsets[:-1], axis=0) / np.diff(pool.offsets)[:, None]
    return -float(metric.gain(means.sum(axis=0)))


@OBJECTIVES.register("corpus-error")
@dataclass(frozen=True, eq=False)
class CorpusError(LineObjective):
    """loss(w) = -gain(sum over lists of the statistics of the candidate that w ranks first) (Och 2003).

    For the loss of zero weights see `corpus_loss`.
    """

    pool: Pool
    metric: Metric
    threads: int = 1

    @classmethod
    def build(cls, pool: Pool, metric: Metric, *, seed: int = 1, threads: int = 1, **options: Any) -> Self:
        return cls(pool, metric, threads, **options)

    def loss(self, weights: FloatArray) -> float:
        return corpus_loss(self.pool, self.metric, weights, self.threads)

    @property
    def lists(self) -> Pool:
        return self.pool

    def evaluate(self, weights: FloatArray) -> EvaluatedPoint:
        return self.at(self.scores(weights))

    def at(self, scores: FloatArray) -> EvaluatedListPoint:
        """Return the evaluated point with these candidate scores."""
        winners = self.searcher.winners(scores)
        return EvaluatedListPoint(self.searcher.gain(winners), self, scores, winners)

    def prepare(self) -> None:
        """Sort the candidates by each feature."""
        _ = self.searcher

    def scores(self, weights: FloatArray) -> FloatArray:
        """Return the model scores of all candidates, or their slopes along a direction."""
        return self.pool.features.dot(weights, 1)

    def prepare_directions(self, vectors: Sequence[FloatArray]) -> Sequence[Direction]:
        if not vectors:
            return []
        slopes = self.pool.features.dots(np.stack(vectors), 1)
        return [PreparedDirection(vector, slope) for vector, slope in zip(vectors, slopes, strict=True)]

    @cached_property
    def searcher(self) -> _native.CorpusProfile:
        """The candidates sorted by each feature, for exact profiles along lines."""
        features = self.pool.features
        stats = self.pool.stats(self.metric, self.threads)
        return _native.CorpusProfile(
            self.pool.offsets,
            features.offsets,
            features.columns,
            features.values,
            features.width,
            np.ascontiguousarray(stats),
            self.metric.scorer(),
            self.threads,
        )

    def __getstate__(self) -> dict[str, object]:
        # The native searcher is rebuilt when needed.
        return {"pool": self.pool, "metric": self.metric, "threads": self.threads}


@dataclass(frozen=True, eq=False)
class EvaluatedListPoint(EvaluatedPoint):
    """A point with the scores of all candidates and the winner of each list."""

    objective: CorpusError
    scores: FloatArray
    winners: IntArray

    def along(self, direction: Direction, within: LineRange = EVERYWHERE) -> Profile:
        searcher = self.objective.searcher
        if isinstance(direction, int):
            return Profile(*searcher.along_axis(self.scores, self.winners, direction))
        slopes = (
            direction.slopes if isinstance(direction, PreparedDirection) else self.objective.scores(direction)
        )
        return Profile(*searcher.along(self.scores, slopes))

    def moved(self, axis: int, length: float, scale: float = 1.0) -> EvaluatedListPoint:
        """Return the point after a move along an axis: only candidates with the feature change scores."""
        moved = self.objective.searcher.moved(self.scores, axis, length, scale)
        check_finite_scores(moved)
        return self.objective.at(moved)
