"""Line search from many starts: the optimizer of minimum error rate training."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tunesmith.objectives.base import SmoothObjective
from tunesmith.objectives.corpus_error import CorpusError
from tunesmith.objectives.geometry import Geometry
from tunesmith.optimizers.base import OPTIMIZERS, Optimizer, State, Trace
from tunesmith.optimizers.line_step import Step, best_step
from tunesmith.optimizers.space import Space
from tunesmith.types import FloatArray, IntArray

__all__ = ["LineSearch"]

BATCH = 4
"""Starts that are searched from at once; fixed, so that results do not depend on the threads."""

EXPLORE = 4
"""The first starts are drawn far apart; later ones are small steps off the best weights so far."""


SHARPNESS = 3.0
"""The standard deviation of scores within a list at which the guide is asked."""


@dataclass(frozen=True, eq=False)
class _Point:
    """Where a search stands: weights, scores of all candidates, winners of all lists, penalized gain."""

    weights: FloatArray
    scores: FloatArray
    winners: IntArray
    value: float


@OPTIMIZERS.register("line-search")
@dataclass(frozen=True)
class LineSearch(Optimizer[CorpusError]):
    """Maximizes the corpus metric by exact line searches (Och 2003), from several starts.

    A round searches along the axis of every feature, up the slope of a smooth `guide` if there is one,
    and along random directions, drawn so that they change the candidates' scores evenly (`Geometry`).
    `powell` moves after each search, then along the
    round's whole displacement, which in the next round takes the place of the direction that gained
    most (Powell 1964). `och` searches all directions and moves along the best one. A start ends when a
    round gains no more than `tolerance`. Most starts are a random step off the best weights so far, the
    random walk of Moore and Quirk (2008), which needs far fewer starts than independent draws.
    """

    guide: SmoothObjective | None = None
    restarts: int = 20
    variant: Literal["powell", "och"] = "powell"
    directions: int = 8
    rounds: int = 50
    tolerance: float = 1e-7
    walk: float = 0.2
    seed: int = 1
    threads: int = 1

    def step(self, objective: CorpusError, space: Space, state: State, trace: Trace) -> State:
        """Search from the next batch of starts."""
        geometry = objective.geometry(space.free)
        first = state.steps * BATCH
        batch = range(first, min(first + BATCH, self.restarts + 1))
        objective.winners(np.zeros(objective.pool.n_candidates))  # builds what the threads share
        with ThreadPoolExecutor(self.threads) as threads:
            ends = list(threads.map(lambda n: self._search(objective, space, geometry, state, n), batch))
        for end in ends:
            trace(-end.value, end.weights)
            if -end.value < state.loss:
                state = State(end.weights, -end.value, state.steps)
        return State(state.weights, state.loss, state.steps + 1, batch.stop > self.restarts)

    def _search(
        self, objective: CorpusError, space: Space, geometry: Geometry, best: State, number: int
    ) -> _Point:
        """Climb from start `number` until a round gains nothing."""
        rng = np.random.default_rng([self.seed, number])
        point = _at(objective, space, self._start(space, geometry, best, number, rng))
        axes: list[int | FloatArray] = [int(index) for index in np.flatnonzero(space.free)]
        for _ in range(self.rounds):
            before = point
            drawn = [geometry.whiten(rng.standard_normal(space.width)) for _ in range(self.directions)]
            if self.guide is not None:
                drawn.insert(0, _uphill(self.guide, space, geometry, point))
            order = [axes[index] for index in rng.permutation(len(axes))]
            if self.variant == "och":
                point = _climb_best(objective, space, point, order + drawn)
            else:
                point, axes = _climb_each(objective, space, point, order, drawn)
            if space.scale_free:
                point = _at(objective, space, point.weights / np.abs(point.weights).sum())
            if not point.value > before.value + self.tolerance:
                return max(before, point, key=lambda p: p.value)
        return point

    def _start(
        self, space: Space, geometry: Geometry, best: State, number: int, rng: np.random.Generator
    ) -> FloatArray:
        """Return the weights to start from: the given ones first, then draws, then steps off the best."""
        if number == 0 and np.any(space.start[space.free]):
            return space.start
        fit = geometry.slope
        size = float(np.sqrt(np.mean(fit[fit != 0] ** 2))) if fit.any() else 1.0
        if number == 0 and fit.any():
            return space.project(fit / size)
        noise = geometry.whiten(rng.standard_normal(space.width))
        noise /= max(float(np.linalg.norm(noise)), 1e-300)
        origin = fit if number < EXPLORE else best.weights
        share = 1.0 if number < EXPLORE else self.walk
        length = float(np.linalg.norm(origin[space.free])) or 1.0
        return space.project(origin + share * length * noise)


def _uphill(guide: SmoothObjective, space: Space, geometry: Geometry, point: _Point) -> FloatArray:
    """Return the guide's ascent direction, preconditioned by S^-1.

    The guide sees the weights at a size that gives the scores of a list a spread of `SHARPNESS`: the
    metric does not care about the size, but the smoothness of the guide does.
    """
    spread = geometry.spread(point.weights)
    if not spread > 0:
        return geometry.slope
    gradient = guide.loss_and_gradient(point.weights * (SHARPNESS / spread))[1]
    return np.where(space.free, -geometry.whiten(geometry.whiten(gradient)), 0.0)


def _at(objective: CorpusError, space: Space, weights: FloatArray) -> _Point:
    scores = objective.scores(weights)
    winners = objective.winners(scores)
    return _Point(weights, scores, winners, objective.gain(winners) - space.penalty(weights))


def _propose(
    objective: CorpusError, space: Space, point: _Point, direction: int | FloatArray
) -> tuple[FloatArray, Step]:
    """Return the direction as a vector, and the best step along it."""
    if isinstance(direction, int):
        vector = np.zeros(space.width)
        vector[direction] = 1.0
        profile = objective.along_axis(point.scores, point.winners, direction)
    else:
        vector = direction
        profile = objective.along(point.scores, direction)
    return vector, best_step(profile, point.weights, vector, space)


def _move(objective: CorpusError, space: Space, point: _Point, vector: FloatArray, step: Step) -> _Point:
    """Take a step if it truly gains: what rounding promised but does not hold is not taken."""
    if not step.value > point.value:
        return point
    moved = _at(objective, space, space.project(point.weights + step.length * vector))
    return moved if moved.value > point.value else point


def _climb_best(
    objective: CorpusError, space: Space, point: _Point, directions: list[int | FloatArray]
) -> _Point:
    proposals = [_propose(objective, space, point, direction) for direction in directions]
    return _move(objective, space, point, *max(proposals, key=lambda proposal: proposal[1].value))


def _climb_each(
    objective: CorpusError,
    space: Space,
    point: _Point,
    axes: list[int | FloatArray],
    drawn: list[FloatArray],
) -> tuple[_Point, list[int | FloatArray]]:
    begin, gains = point, []
    for direction in [*axes, *drawn]:
        moved = _move(objective, space, point, *_propose(objective, space, point, direction))
        gains.append(moved.value - point.value)
        point = moved
    whole = point.weights - begin.weights
    if not whole.any():
        return point, axes
    moved = _move(objective, space, point, *_propose(objective, space, point, whole))
    if moved.value > point.value:
        axes = [*axes]
        axes[int(np.argmax(gains[: len(axes)]))] = whole
    return moved, axes
