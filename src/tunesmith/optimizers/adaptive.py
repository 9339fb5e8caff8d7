"""Gradient descent with an adaptive step size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tunesmith.errors import OptionError
from tunesmith.objectives.base import SmoothObjective
from tunesmith.optimizers.base import OPTIMIZERS, Optimizer, State, Trace
from tunesmith.optimizers.space import Space
from tunesmith.types import FloatArray

__all__ = ["AdaptiveDescent"]

SMALLEST = 1e-12
"""Stop when eta has shrunk below this fraction of `rate`."""


@OPTIMIZERS.register("adaptive")
@dataclass(frozen=True)
class AdaptiveDescent(Optimizer[SmoothObjective]):
    """w <- clip(shrink(w - eta * g)), g the gradient of the whole loss (Pauls et al. 2009, note 4).

    After a step that lowers the loss, eta is multiplied by `grow`; otherwise the step is retried with eta
    times `shrink`. shrink(.) is the proximal step of the L1 and L2 penalties. The first eta is `rate`. Done
    after `iterations`, or after `patience` steps in a row that lower the loss by less than `tolerance`
    (relative). One gradient per step, one loss per try.
    """

    iterations: int = 100
    rate: float = 0.1
    grow: float = 1.5
    shrink: float = 0.5
    tolerance: float = 1e-6
    patience: int = 3

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.iterations < 1 or self.patience < 1:
            raise OptionError(
                f"iterations and patience must be at least 1, not {self.iterations} and {self.patience}"
            )
        if not (self.rate > 0 and self.grow >= 1 and 0 < self.shrink < 1 and self.tolerance >= 0):
            raise OptionError(
                "expected rate > 0, grow >= 1, 0 < shrink < 1 and tolerance >= 0, found"
                f" {self.rate}, {self.grow}, {self.shrink} and {self.tolerance}"
            )

    def limit(self, state: State) -> str | None:
        return "optimizer_iterations" if state.steps >= self.iterations else None

    def step(self, objective: SmoothObjective, space: Space, state: State, trace: Trace) -> State:
        rate, idle = state.memory.get("pace", np.array([self.rate, 0.0])).tolist()
        gradient = objective.loss_and_gradient(state.weights)[1]
        steps = state.steps + 1
        while rate > SMALLEST * self.rate:
            weights = self._moved(state.weights, gradient, rate, space)
            loss = objective.loss(weights) + space.penalty(weights)
            if loss < state.loss:
                trace(loss, weights)
                small = state.loss - loss < self.tolerance * abs(state.loss)
                idle = idle + 1 if small else 0.0
                done = steps >= self.iterations or idle >= self.patience
                return State(weights, loss, steps, done, {"pace": np.array([rate * self.grow, idle])})
            rate *= self.shrink
        return State(state.weights, state.loss, steps, True, state.memory)

    @staticmethod
    def _moved(weights: FloatArray, gradient: FloatArray, rate: float, space: Space) -> FloatArray:
        moved = weights - rate * gradient
        shrunk = np.sign(moved) * np.maximum(np.abs(moved) - rate * space.l1, 0.0) / (1.0 + rate * space.l2)
        return space.project(shrunk)
