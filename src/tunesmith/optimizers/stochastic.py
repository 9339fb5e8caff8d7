"""What stochastic optimizers share: an epoch over the lists in seeded random order.

A step of the optimizer is an epoch: one visit to every list, a proximal step for each batch of
lists. The order of an epoch follows (seed, epoch), so a resumed run visits the lists as it would have.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tunesmith.errors import OptionError
from tunesmith.objectives.base import SmoothObjective, StochasticObjective, Visits
from tunesmith.optimizers.base import State, Trace
from tunesmith.optimizers.space import Space
from tunesmith.types import FloatArray

__all__ = ["Epochs"]


@dataclass(frozen=True)
class Epochs:
    """How long, how many lists at a time, and what an epoch ends with: its last weights or its average.

    The state holds the best of these by penalized loss. Stops after `epochs`, or when an epoch changes
    that loss by less than `tolerance` (relative).
    """

    epochs: int
    batch: int
    average: bool
    tolerance: float
    seed: int

    def __post_init__(self) -> None:
        for name in ("epochs", "batch"):
            if getattr(self, name) < 1:
                raise OptionError(f"{name} must be at least 1, not {getattr(self, name)}")
        if not self.tolerance >= 0:
            raise OptionError(f"tolerance must be at least 0, not {self.tolerance}")

    def step(
        self,
        objective: SmoothObjective,
        space: Space,
        state: State,
        trace: Trace,
        *,
        rate: float,
        decay: float,
        squares: FloatArray,
    ) -> State:
        """Run the next epoch with the rates rate / (1 + decay * epochs passed)."""
        if not isinstance(objective, StochasticObjective):
            message = "is not a mean over lists, so it cannot be descended a list at a time; use lbfgs"
            raise OptionError(f"{type(objective).__name__} {message}")
        order = np.random.default_rng([self.seed, state.steps]).permutation(objective.lists)
        batches = -(-len(order) // self.batch)
        passed = state.steps + np.arange(batches) / batches
        visits = Visits(order.astype(np.int64), self.batch, rate / (1.0 + decay * passed))
        current = state.memory.get("current", state.weights)
        current, squares, average = objective.descend(current, squares, visits, space)
        weights = space.project(average if self.average else current)
        loss = objective.loss(weights) + space.penalty(weights)
        trace(loss, weights)
        last = float(state.memory.get("loss", np.array([state.loss]))[0])
        done = abs(loss - last) <= self.tolerance * abs(loss) or state.steps + 1 >= self.epochs
        if not loss < state.loss:
            weights = state.weights
        memory = {"current": current, "squares": squares, "loss": np.array([loss])}
        return State(weights, min(loss, state.loss), state.steps + 1, done, memory)
