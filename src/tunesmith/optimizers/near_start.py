"""Back toward the start: the weights nearest to it that are as good as the best ones, but for noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tunesmith.metrics.standard_error import standard_error_of_difference
from tunesmith.objectives.corpus_error import CorpusError
from tunesmith.optimizers.climb import Climber
from tunesmith.optimizers.line_search import MOST_AXES
from tunesmith.optimizers.space import Space
from tunesmith.types import FloatArray

__all__ = ["nearest_to_start"]


def nearest_to_start(
    objective: CorpusError, space: Space, weights: FloatArray, allowance: float
) -> tuple[FloatArray, float]:
    """Return weights between the start and `weights`, and their penalized loss (ours).

    Their penalized gain is above that of the start, and at most `allowance` standard errors below that of
    `weights`: the error of the difference between start and `weights`, over the lists. One weight after the
    other, first the one whose move changed scores most, goes back to the point nearest to where it started
    at which this holds; then all of them together, on the line to the start.

    The weights of the start are rescaled so that its scores are those of `weights` as nearly as they can be:
    only then it is a weight that has moved far which differs, and not all others. Without a start, or if it
    is no worse, the weights are returned as they are. One line search per weight.
    """
    climber = Climber(objective, space, objective.geometry(space.free))
    end = climber.at(weights)
    given = space.project(space.start)
    start = climber.sized(given)
    above = climber.at(start).evaluated.gain - min(map(space.penalty, (given, start)))
    if not start[space.free].any() or above >= end.value:
        return end.weights, -end.value
    pool, metric = objective.pool, objective.metric
    ends = (pool.best_stats(metric, each, objective.threads) for each in (start, end.weights))
    slack = allowance * standard_error_of_difference(metric, *ends)
    goal = _like(climber, start, end.weights)
    retreat = _Retreat(climber, goal, above, end.value - slack)
    found = end.weights
    for axis in _farthest(climber, end.weights - goal):
        found = retreat.along(found, axis)
    last = climber.at(retreat.along(found))
    return last.weights, -last.value


@dataclass(frozen=True)
class _Retreat:
    """Goes back to `goal` as far as values stay above that of the start, and are at least `least`."""

    climber: Climber
    goal: FloatArray
    above: float
    least: float

    def along(self, weights: FloatArray, axis: int | None = None) -> FloatArray:
        """Return the good point that is nearest to the goal: along an axis, or on the line to the goal."""
        step = self.goal - weights
        if axis is not None:
            step = np.where(np.arange(len(step)) == axis, step, 0.0)
        if not step.any():
            return weights
        space = self.climber.space
        whole = space.project(weights + step)
        if self._good(whole):
            return whole
        profile = self.climber.objective.evaluate(weights).along(step, (0.0, 1.0))
        ends = np.clip(np.concatenate([[0.0], profile.thresholds, [1.0]]), 0.0, 1.0)
        # A penalty only lowers the value, and is part of `_good`.
        wide = (np.diff(ends) > 0) & (profile.gains >= self.least) & (profile.gains > self.above)
        middles = (0.5 * (ends[:-1] + ends[1:]))[wide].tolist()
        points = (space.project(weights + share * step) for share in reversed(middles))
        return next(filter(self._good, points), weights)

    def _good(self, weights: FloatArray) -> bool:
        value = self.climber.at(weights).value
        return value >= self.least and value > self.above


def _like(climber: Climber, start: FloatArray, end: FloatArray) -> FloatArray:
    """Return the start, with the size whose scores are nearest to those of the end, if size is free."""
    if climber.anchored:
        return start
    free = climber.space.free
    a, b = (climber.geometry.color(np.where(free, each, 0.0)) for each in (start, end))
    size = float(a @ b) / float(a @ a) if a.any() else 0.0
    return np.where(free, size * start, start) if size > 0 else start


def _farthest(climber: Climber, moved: FloatArray) -> list[int]:
    """Return the features in the order in which their moves change scores, at most `MOST_AXES`."""
    root = climber.geometry.root
    deviations = np.linalg.norm(root, axis=0) if root.ndim == 2 else root
    order = np.argsort(-np.abs(moved) * deviations, kind="stable")
    return [int(axis) for axis in order if moved[axis]][:MOST_AXES]
