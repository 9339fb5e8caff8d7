"""Random search: a baseline."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tunesmith.errors import OptionError
from tunesmith.objectives.base import Objective
from tunesmith.optimizers.base import OPTIMIZERS, Optimizer, State, Trace
from tunesmith.optimizers.space import Space

__all__ = ["RandomSearch"]

TRIALS_A_STEP = 50


@OPTIMIZERS.register("random-search")
@dataclass(frozen=True)
class RandomSearch(Optimizer[Objective]):
    """Draws weights uniformly from -scale..scale (finite bounds replace the limits) and keeps the best."""

    trials: int = 500
    scale: float = 1.0
    seed: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (self.trials > 0 and self.scale > 0):
            raise OptionError(f"trials and scale must be positive, not {self.trials} and {self.scale}")

    def step(self, objective: Objective, space: Space, state: State, trace: Trace) -> State:
        """Try the next draws; each is seeded by its own number."""
        low = np.where(
            np.isfinite(space.lower), space.lower, np.minimum(-self.scale, space.upper - self.scale)
        )
        high = np.where(
            np.isfinite(space.upper), space.upper, np.maximum(self.scale, space.lower + self.scale)
        )
        weights, loss = state.weights, state.loss
        stop = min((state.steps + 1) * TRIALS_A_STEP, self.trials)
        for trial in range(state.steps * TRIALS_A_STEP, stop):
            draw = space.project(np.random.default_rng([self.seed, trial]).uniform(low, high))
            drawn = objective.loss(draw) + space.penalty(draw)
            if drawn < loss:
                weights, loss = draw, drawn
        trace(loss, weights)
        return State(weights, loss, state.steps + 1, stop >= self.trials)
