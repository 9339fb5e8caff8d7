"""Hill climbing on the corpus metric by exact line searches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

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
"""Standard deviation of scores within a list at which the guide is evaluated."""

SIZE_COST = 1e-4
"""Gain that smaller weights may cost beside frozen ones: a hundredth of a point of BLEU."""


@dataclass(frozen=True, eq=False)
class Point:
    """Current point of a search: weights, the evaluated objective, penalized gain."""

    weights: FloatArray
    evaluated: EvaluatedPoint
    value: float


@dataclass(frozen=True, eq=False)
class Proposal:
    """A move along a direction."""

    direction: Direction
    move: Move


@dataclass(frozen=True, eq=False)
class Climber:
    """Moves to points of strictly higher penalized gain; never to zero weights, which rank nothing.

    The metric does not depend on the size of the free weights, unless they are `anchored`; a penalty does.
    Weights that are not are rescaled after each move, else moves could make them ever larger: to a sum of 1,
    or beside frozen weights to the sum of the start. Penalized ones are rescaled so that scores have a unit
    spread within lists, as the penalty would pull all weights to almost zero.
    """

    objective: LineObjective
    space: Space
    geometry: Geometry
    guide: SmoothObjective | None = None
    reach: float | None = None
    """Limit of a line search: the spread of the change of scores, as a multiple of the spread of scores."""

    @cached_property
    def anchored(self) -> bool:
        """Whether the size of free weights matters: by bounds, or by frozen features that rank candidates.

        A frozen feature with one value in all candidates of each list, such as a penalty for unknown words,
        does not.
        """
        if self.space.bounded:
            return True
        if not self.space.holds_weights:
            return False
        lists = self.objective.lists
        scores, begins = lists.features.dot(self.space.held, 1), lists.offsets[:-1]
        return bool(np.any(np.maximum.reduceat(scores, begins) > np.minimum.reduceat(scores, begins)))

    def at(self, weights: FloatArray) -> Point:
        """Return the point of these weights."""
        weights = self.sized(weights)
        return self._point(weights, self.objective.evaluate(weights))

    def sized(self, weights: FloatArray) -> FloatArray:
        """Return the weights with the free ones rescaled to the size at which they are compared."""
        return np.where(self.space.free, weights / self._size(weights), weights)

    def settled(self, point: Point) -> Point:
        """Return a point with its scores recomputed, without the rounding errors of moves.

        Frozen features may rank but a few candidates, and then moves can make free weights ever larger. They
        get the sum of the start, or the smallest of 2, 4, 8 .. times that which costs less than `SIZE_COST`.
        """
        here = self.at(point.weights)
        total = float(np.abs(here.weights[self.space.free]).sum())
        if not self.anchored or self.space.bounded or self.space.penalized:
            return here
        size = self._unit
        while size < total:
            smaller = self.at(np.where(self.space.free, here.weights * (size / total), here.weights))
            if smaller.value >= here.value - SIZE_COST:
                return smaller
            size *= 2.0
        return here

    def _size(self, weights: FloatArray) -> float:
        """Return the number by which free weights are divided."""
        if self.anchored:
            return 1.0
        free = np.where(self.space.free, weights, 0.0)
        size = self.geometry.spread(free) if self.space.penalized else float(np.abs(free).sum()) / self._unit
        return size if size > 0 else 1.0

    @cached_property
    def _unit(self) -> float:
        """The sum of free weights: beside frozen ones that of the start, so that both keep their relation."""
        start = float(np.abs(self.space.start[self.space.free]).sum())
        return start if self.space.holds_weights and start > 0 else 1.0

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

        If that gains too, the displacement replaces the axis that gained most (Powell 1964).
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
        """Return the guide's ascent direction, preconditioned by S^-1; empty without a guide.

        The guide is evaluated at weights rescaled to a spread of `SHARPNESS` within lists: the metric does
        not depend on the size of the weights, but the smoothness of the guide does.
        """
        spread = self.geometry.spread(point.weights)
        if self.guide is None or not spread > 0:
            return []
        gradient = self.guide.loss_and_gradient(point.weights * (SHARPNESS / spread))[1]
        return [np.where(self.space.free, -self.geometry.whiten(self.geometry.whiten(gradient)), 0.0)]

    def _propose(self, point: Point, direction: Direction) -> Proposal:
        """Return the best move along a direction."""
        vector = vector_of(direction, self.space.width)
        within = self._within(point, vector)
        profile = point.evaluated.along(direction, within)
        spread = self._spread(point, vector)
        return Proposal(direction, best_step(profile, point.weights, vector, self.space, spread, within))

    def _within(self, point: Point, vector: FloatArray) -> LineRange:
        """Return the part of a line to search; spreads include frozen features."""
        if self.reach is None:
            return EVERYWHERE
        everything = self.objective.geometry(np.ones_like(self.space.free))
        change, spread = everything.spread(vector), everything.spread(point.weights)
        if not (change > 0 and spread > 0):
            return EVERYWHERE
        return -self.reach * spread / change, self.reach * spread / change

    def _spread(self, point: Point, vector: FloatArray) -> Spread | None:
        """Return the spread of scores along a line, sqrt(|a + t b|^2), if the penalty depends on it."""
        if self.anchored or not self.space.penalized:
            return None
        a, b = self.geometry.color(point.weights), self.geometry.color(vector)
        aa, ab, bb = float(a @ a), float(a @ b), float(b @ b)
        return lambda t: np.sqrt(np.maximum(aa + 2 * ab * t + bb * t**2, 1e-12 * aa))

    def _move(self, point: Point, proposal: Proposal) -> Point:
        """Make the move if the gain recomputed there is higher; rounding may have predicted too much."""
        move, direction = proposal.move, proposal.direction
        if not move.value > point.value:
            return point
        aim = point.weights + move.length * vector_of(direction, self.space.width)
        weights, scale = self.space.project(aim), 1.0 / self._size(aim)
        evaluated = None
        if isinstance(direction, int) and np.array_equal(weights, aim):
            evaluated = point.evaluated.moved(direction, move.length, scale)
        rescaled = np.where(self.space.free, scale * weights, weights)
        moved = self.at(weights) if evaluated is None else self._point(rescaled, evaluated)
        return moved if moved.value > point.value else point
