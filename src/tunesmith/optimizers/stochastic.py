"""What stochastic optimizers share: epochs over the lists in seeded random order.

A step of the optimizer is an epoch: one visit to every list, one proximal step per batch of lists. The order
of an epoch follows (seed, epoch), so a resumed run visits the lists in the same order.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tunesmith.errors import OptionError
from tunesmith.objectives.base import SmoothObjective, StochasticObjective, Visits
from tunesmith.optimizers.base import Optimizer, State, Trace
from tunesmith.optimizers.space import Space
from tunesmith.types import FloatArray

__all__ = ["StochasticDescent"]


@dataclass(frozen=True)
class StochasticDescent(Optimizer[SmoothObjective]):
    """w <- clip(shrink(w - eta * g)) per batch of lists, g the gradient of the batch's mean loss.

    shrink is the proximal step of the L1 and L2 penalties. O(nonzeros of the batch) per step, independent of
    the number of weights: weights whose features do not fire are shrunk when next needed. The result of an
    epoch is its average weights (last weights if not `average`); the state keeps the best by penalized loss.
    Stops after `epochs`, or when an epoch changes the loss by less than `tolerance` (relative).
    """

    epochs: int = 30
    rate: float = 0.1
    batch: int = 1
    average: bool = True
    tolerance: float = 0.0003
    seed: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.rate > 0:
            raise OptionError(f"rate must be a positive number, not {self.rate}")
        for name in ("epochs", "batch"):
            if getattr(self, name) < 1:
                raise OptionError(f"{name} must be at least 1, not {getattr(self, name)}")
        if not self.tolerance >= 0:
            raise OptionError(f"tolerance must be at least 0, not {self.tolerance}")

    def limit(self, state: State) -> str | None:
        """Return the name that methods give the number of epochs."""
        return "optimizer_iterations" if state.steps >= self.epochs else None

    def epoch(
        self,
        objective: SmoothObjective,
        space: Space,
        state: State,
        trace: Trace,
        squares: FloatArray,
        decay: float = 0.0,
    ) -> State:
        """Run the next epoch with eta = rate / (1 + decay * epochs passed).

        If `squares` is not empty, eta is divided by the root of the sum of squared gradients, per weight.
        """
        if not isinstance(objective, StochasticObjective):
            message = "is not a mean over lists, so stochastic descent does not apply; use lbfgs"
            raise OptionError(f"{type(objective).__name__} {message}")
        order = np.random.default_rng([self.seed, state.steps]).permutation(objective.lists)
        batches = -(-len(order) // self.batch)
        passed = state.steps + np.arange(batches) / batches
        visits = Visits(order.astype(np.int64), self.batch, self.rate / (1.0 + decay * passed))
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
