"""Line search from many starts: the optimizer of minimum error rate training."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from tunesmith.objectives.base import SmoothObjective
from tunesmith.objectives.line_objective import Direction, LineObjective
from tunesmith.optimizers.base import OPTIMIZERS, Optimizer, State, Trace
from tunesmith.optimizers.climb import Climber, Point
from tunesmith.optimizers.smooth_starts import SPREADS, smooth_starts
from tunesmith.optimizers.space import Space
from tunesmith.options import require_at_least
from tunesmith.types import FloatArray

__all__ = ["MOST_AXES", "LineSearch"]

MOST_AXES = 500
"""Number of axes that are searched in a round: of more features, a random part in each round."""

DRAWS = 20
"""Number of tries to draw a start that the bounds do not clip to zero."""


@OPTIMIZERS.register("line-search")
@dataclass(frozen=True)
class LineSearch(Optimizer[LineObjective]):
    """Maximizes the corpus metric by exact line searches (Och 2003), from several starts.

    With a smooth `guide` the first starts after the given one are its optima, from blurred to sharp
    (`smooth_starts`). A round searches along the axis of every feature (of more than `MOST_AXES` a random
    part), up the slope of the guide, and along random directions, drawn so that they change the candidates'
    scores evenly (`Geometry`).
    `powell` moves after each search, then along the round's whole displacement, which in the next round
    replaces the direction that gained most (Powell 1964). `och` searches all directions and moves along
    the best one. The search from a start ends when a round gains no more than `tolerance`. Most starts are
    random steps from the best weights so far, the random walk of Moore and Quirk (2008), which needs far
    fewer starts than independent draws.
    """

    guide: SmoothObjective | None = None
    restarts: int = 20
    variant: Literal["powell", "och"] = "powell"
    directions: int = 5
    rounds: int = 50
    tolerance: float = 1e-7
    walk: float = 0.2
    reach: float | None = None
    """Limit of each line search (see `Climber`); None: no limit."""
    explore: int = 4
    """Number of starts drawn far apart, including the given one, not counting smooth ones; later starts are
    steps of `walk`."""
    starts: tuple[FloatArray, ...] = field(default=(), compare=False)
    """Weights to search from first, instead of the start of the space."""
    batch: int = 4
    """Number of starts searched as one batch. Changing it changes the result; the thread count never does."""
    seed: int = 1
    threads: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        require_at_least(1, "line-search", batch=self.batch)

    def start(self, objective: LineObjective, space: Space) -> State:
        """Return the state before the first step, with rescaled start weights.

        Zero weights cannot be rescaled; they get the penalty of the least-squares fit.
        """
        climber = Climber(objective, space, objective.geometry(space.free))
        weights = climber.sized(space.project(space.start))
        charged = weights if weights.any() or climber.anchored else climber.sized(climber.geometry.slope)
        return State(weights, objective.loss(weights) + space.penalty(charged))

    def step(self, objective: LineObjective, space: Space, state: State, trace: Trace) -> State:
        """Search from the next batch of starts."""
        climber = Climber(objective, space, objective.geometry(space.free), self.guide, self.reach)
        first = state.steps * self.batch
        batch = range(first, min(first + self.batch, self.restarts + 1))
        objective.prepare()
        smooth = self._smooth_starts(climber, batch)
        with ThreadPoolExecutor(self.threads) as threads:
            ends = list(threads.map(lambda number: self._search(climber, state, number, smooth), batch))
        for end in ends:
            trace(-end.value, end.weights)
            if -end.value < state.loss:
                state = State(end.weights, -end.value, state.steps)
        return State(state.weights, state.loss, state.steps + 1, batch.stop > self.restarts)

    @property
    def _first_smooth(self) -> int:
        """The number of the first smooth start; given weights come before."""
        return max(1, len(self.starts))

    def _smooth_starts(self, climber: Climber, batch: range) -> list[FloatArray]:
        """Return the smooth starts, if the batch has any of them."""
        first = self._first_smooth
        if self.guide is None or not (batch.start < first + len(SPREADS) and first < batch.stop):
            return []
        return smooth_starts(self.guide, climber.objective, climber.space)

    def _search(self, climber: Climber, best: State, number: int, smooth: Sequence[FloatArray]) -> Point:
        """Climb from start `number` until a round gains nothing."""
        rng = np.random.default_rng([self.seed, number])
        space = climber.space
        point = climber.at(self._start(climber, best, number, rng, smooth))
        axes: list[Direction] = [int(index) for index in np.flatnonzero(space.free)]
        for _ in range(self.rounds):
            before = point
            drawn = [
                climber.geometry.whiten(rng.standard_normal(space.width)) for _ in range(self.directions)
            ]
            prepared = climber.objective.prepare_directions(climber.uphill(point) + drawn)
            order = [axes[index] for index in rng.permutation(len(axes))]
            order, others = order[:MOST_AXES], order[MOST_AXES:]
            if self.variant == "och":
                point = climber.climb_best(point, [*order, *prepared])
            else:
                point, kept = climber.climb_each(point, order, prepared)
                axes = [*kept, *others]
            point = climber.settled(point)
            if not point.value > before.value + self.tolerance:
                return max(before, point, key=lambda p: p.value)
        return point

    def _start(
        self,
        climber: Climber,
        best: State,
        number: int,
        rng: np.random.Generator,
        smooth: Sequence[FloatArray],
    ) -> FloatArray:
        """Return the weights to start from: given ones, smooth ones, draws, then steps from the best."""
        space, fit = climber.space, climber.geometry.slope
        if number < len(self.starts):
            return self.starts[number]
        if number == 0 and np.any(space.start[space.free]):
            return space.start
        if number == 0 and np.any(space.project(fit)[space.free]):
            return space.project(fit)
        place = number - self._first_smooth
        if 0 <= place < len(smooth):
            return smooth[place]
        explored = number >= self.explore + (0 if self.guide is None else len(SPREADS))
        origin = best.weights if explored and best.weights.any() else fit
        share = self.walk if explored else 1.0
        length = float(np.linalg.norm(origin[space.free])) or 1.0
        for _ in range(DRAWS):
            noise = climber.geometry.whiten(rng.standard_normal(space.width))
            noise /= max(float(np.linalg.norm(noise)), 1e-300)
            weights = space.project(origin + share * length * noise)
            if weights[space.free].any():
                return weights
        # The bounds allow hardly anything but zero: start at the bounds farthest from it.
        far = np.where(np.isfinite(space.upper), space.upper, np.maximum(space.lower, 0.0) + 1.0)
        near = np.where(np.isfinite(space.lower), space.lower, np.minimum(space.upper, 0.0) - 1.0)
        return space.project(np.where(np.abs(far) > 0, far, near))
