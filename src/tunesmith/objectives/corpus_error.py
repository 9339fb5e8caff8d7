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
    Course,
    Direction,
    LineObjective,
    Profile,
    Standing,
    Stretch,
)
from tunesmith.types import FloatArray, IntArray

__all__ = ["CorpusError", "corpus_loss"]


def corpus_loss(pool: Pool, metric: Metric, weights: FloatArray, threads: int = 1) -> float:
    """Return -gain of the candidates that the weights rank first.

    Weights that are all zero rank nothing, and the order in which the lists came must not pass for
    their merit: the loss is then that of the statistics of a candidate drawn evenly from each list.
    """
    stats = pool.stats(metric, threads)
    if weights.any():
        return -float(metric.gain(stats[pool.best(weights, threads)].sum(axis=0)))
    means = np.add.reduceat(stats, pool.offsets[:-1], axis=0) / np.diff(pool.offsets)[:, None]
    return -float(metric.gain(means.sum(axis=0)))


@OBJECTIVES.register("corpus-error")
@dataclass(frozen=True, eq=False)
class CorpusError(LineObjective):
    """loss(w) = -gain(sum over lists of the statistics of the candidate that w ranks first) (Och 2003).

    Zero weights rank nothing: their loss is that of a draw from each list (see `corpus_loss`).
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

    def stand(self, weights: FloatArray) -> Standing:
        return self.at(self.scores(weights))

    def at(self, scores: FloatArray) -> ListStanding:
        """Return the point where candidates have these scores."""
        winners = self.winners(scores)
        return ListStanding(self.gain(winners), self, scores, winners)

    def prepare(self) -> None:
        """Sort the candidates by each feature."""
        _ = self._searcher

    def scores(self, weights: FloatArray) -> FloatArray:
        """Return the model scores of all candidates, or their slopes along a direction."""
        return self.pool.features.dot(weights, 1)

    def winners(self, scores: FloatArray) -> IntArray:
        """Return the candidate that these scores rank first in each list."""
        return self._searcher.winners(scores)

    def gain(self, winners: IntArray) -> float:
        """Return the corpus gain of chosen candidates."""
        return self._searcher.gain(winners)

    def along_axis(self, scores: FloatArray, winners: IntArray, feature: int) -> Profile:
        """Return the profile along one feature's weight."""
        return Profile(*self._searcher.along_axis(scores, winners, feature))

    def along(self, scores: FloatArray, direction: FloatArray | Course) -> Profile:
        """Return the profile along any direction."""
        slopes = direction.slopes if isinstance(direction, Course) else self.scores(direction)
        return Profile(*self._searcher.along(scores, slopes))

    def courses(self, vectors: Sequence[FloatArray]) -> Sequence[Direction]:
        if not vectors:
            return []
        slopes = self.pool.features.dots(np.stack(vectors), 1)
        return [Course(vector, slope) for vector, slope in zip(vectors, slopes, strict=True)]

    def moved(self, scores: FloatArray, axis: int, length: float, scale: float) -> FloatArray:
        """Return the scores after a step along an axis: only those of candidates with the feature change."""
        moved = self._searcher.moved(scores, axis, length, scale)
        check_finite_scores(moved)
        return moved

    @cached_property
    def _searcher(self) -> _native.CorpusProfile:
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
        # The native searcher is made anew where it is needed.
        return {"pool": self.pool, "metric": self.metric, "threads": self.threads}


@dataclass(frozen=True, eq=False)
class ListStanding(Standing):
    """A point with the scores of all candidates, and the winner of each list."""

    objective: CorpusError
    scores: FloatArray
    winners: IntArray

    def along(self, direction: Direction, within: Stretch = EVERYWHERE) -> Profile:
        if isinstance(direction, int):
            return self.objective.along_axis(self.scores, self.winners, direction)
        return self.objective.along(self.scores, direction)

    def moved(self, axis: int, length: float, scale: float = 1.0) -> ListStanding:
        return self.objective.at(self.objective.moved(self.scores, axis, length, scale))
