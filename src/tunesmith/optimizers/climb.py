"""Climbing the corpus metric by exact line searches: the moves of one search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tunesmith.objectives.base import SmoothObjective
from tunesmith.objectives.geometry import Geometry
from tunesmith.objectives.line_objective import (
    EVERYWHERE,
    Direction,
    EvaluatedPoint,
    LineObjective,
    LineRange,
    vector_of,
)
from tunesmith.optimizers.line_step import Move, Spread, best_step
from tunesmith.optimizers.space import Space
from tunesmith.types import FloatArray

__all__ = ["Climber", "Point"]

SHARPNESS = 3.0
"""The standard deviation of scores within a list at which the guide is asked."""


@dataclass(frozen=True, eq=False)
class Point:
    """Where a search stands: weights, what the objective knows of them, penalized gain."""

    weights: FloatArray
    evaluated: EvaluatedPoint
    value: float


@dataclass(frozen=True, eq=False)
class Proposal:
    """A step along a direction."""

    direction: Direction
    move: Move


@dataclass(frozen=True, eq=False)
class Climber:
    """Moves from point to point, each worth more than the last; never to zero weights, which rank nothing.

    The metric does not see the size of the weights, a penalty does. If nothing anchors the size (no frozen
    feature, no bound other than zero), penalized weights are held at the size that gives scores a unit
    spread within lists; else the penalty would be smallest at weights of almost nothing.
    """

    objective: LineObjective
    space: Space
    geometry: Geometry
    guide: SmoothObjective | None = None
    reach: float | None = None
    """A line is followed until what it adds to scores is spread so many times as widely as they are."""

    def at(self, weights: FloatArray) -> Point:
        """Return the point of these weights."""
        weights = self.sized(weights)
        return self._point(weights, self.objective.evaluate(weights))

    def sized(self, weights: FloatArray) -> FloatArray:
        """Return the weights at the size at which they are compared."""
        return weights / self._size(weights)

    def _size(self, weights: FloatArray) -> float:
        if self.space.anchored:
            return 1.0
        size = self.geometry.spread(weights) if self.space.penalized else float(np.abs(weights).sum())
        return size if size > 0 else 1.0

    def _point(self, weights: FloatArray, evaluated: EvaluatedPoint) -> Point:
        value = evaluated.gain - self.space.penalty(weights)
        return Point(weights, evaluated, value if weights.any() else -np.inf)

    def climb_best(self, point: Point, directions: list[Direction]) -> Point:
        """Move along the best of the directions (Och 2003)."""
        proposals = [self._propose(point, direction) for direction in directions]
        return self._move(point, max(proposals, key=lambda proposal: proposal.move.value))

    def climb_each(
        self, point: Point, axes: list[Direction], drawn: Sequence[Direction]
    ) -> tuple[Point, list[Direction]]:
        """Move along one direction after the other, then along the whole displacement.

        If that gains too, the displacement takes the place of the axis that gained most (Powell 1964).
        """
        begin, gains = point, []
        for direction in [*axes, *drawn]:
            moved = self._move(point, self._propose(point, direction))
            gains.append(moved.value - point.value)
            point = moved
        displacement = point.weights - begin.weights
        if not displacement.any():
            return point, axes
        whole = self.objective.prepare_directions([displacement])[0]
        moved = self._move(point, self._propose(point, whole))
        if moved.value > point.value:
            axes = [*axes]
            axes[int(np.argmax(gains[: len(axes)]))] = whole
        return moved, axes

    def uphill(self, point: Point) -> list[FloatArray]:
        """Return the guide's ascent direction, preconditioned by S^-1; nothing without a guide.

        The guide sees the weights at a size that gives the scores of a list a spread of `SHARPNESS`: the
        metric does not care about the size, but the smoothness of the guide does.
        """
        spread = self.geometry.spread(point.weights)
        if self.guide is None or not spread > 0:
            return []
        gradient = self.guide.loss_and_gradient(point.weights * (SHARPNESS / spread))[1]
        return [np.where(self.space.free, -self.geometry.whiten(self.geometry.whiten(gradient)), 0.0)]

    def _propose(self, point: Point, direction: Direction) -> Proposal:
        """Return the best step along a direction."""
        vector = vector_of(direction, self.space.width)
        within = self._within(point, vector)
        profile = point.evaluated.along(direction, within)
        spread = self._spread(point, vector)
        return Proposal(direction, best_step(profile, point.weights, vector, self.space, spread, within))

    def _within(self, point: Point, vector: FloatArray) -> LineRange:
        """Return how far to look along a line; scores are of all features, frozen ones too."""
        if self.reach is None:
            return EVERYWHERE
        everything = self.objective.geometry(np.ones_like(self.space.free))
        change, spread = everything.spread(vector), everything.spread(point.weights)
        if not (change > 0 and spread > 0):
            return EVERYWHERE
        return -self.reach * spread / change, self.reach * spread / change

    def _spread(self, point: Point, vector: FloatArray) -> Spread | None:
        """Return the spread of scores along a line, sqrt(|a + t b|^2), where the penalty must know it."""
        if self.space.anchored or not self.space.penalized:
            return None
        a, b = self.geometry.color(point.weights), self.geometry.color(vector)
        aa, ab, bb = float(a @ a), float(a @ b), float(b @ b)
        return lambda t: np.sqrt(np.maximum(aa + 2 * ab * t + bb * t**2, 1e-12 * aa))

    def _move(self, point: Point, proposal: Proposal) -> Point:
        """Take a step if it truly gains: what rounding promised but does not hold is not taken."""
        move, direction = proposal.move, proposal.direction
        if not move.value > point.value:
            return point
        aim = point.weights + move.length * vector_of(direction, self.space.width)
        weights, scale = self.space.project(aim), 1.0 / self._size(aim)
        evaluated = None
        if isinstance(direction, int) and np.array_equal(weights, aim):
            evaluated = point.evaluated.moved(direction, move.length, scale)
        moved = self.at(weights) if evaluated is None else self._point(scale * weights, evaluated)
        return moved if moved.value > point.value else point
