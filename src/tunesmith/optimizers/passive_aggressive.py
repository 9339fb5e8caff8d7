"""Passive-aggressive passes (Crammer et al. 2006) over lists or forests: the optimizer of batch MIRA."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tunesmith.errors import OptionError
from tunesmith.objectives.hope_fear import MarginObjective, Passed
from tunesmith.optimizers.base import OPTIMIZERS, Optimizer, State, Trace
from tunesmith.optimizers.space import Space
from tunesmith.types import FloatArray

__all__ = ["PassiveAggressive"]


@OPTIMIZERS.register("passive-aggressive")
@dataclass(frozen=True)
class PassiveAggressive(Optimizer[MarginObjective]):
    """Steps of at most `c` toward each list's hope and away from its fear; a step is one pass.

    The reported weights are averages over all steps so far, from the pass with the lowest loss of the
    objective. Each pass visits the lists in a new random order, and ends with the proximal step of the
    penalties of size c: w = soft(w, c * l1) / (1 + c * l2).
    """

    c: float = 0.01
    epochs: int = 60
    seed: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (self.c > 0 and self.epochs > 0):
            raise OptionError(f"c and epochs must be positive, not {self.c} and {self.epochs}")

    def limit(self, state: State) -> str | None:
        return "epochs" if state.steps >= self.epochs else None

    def step(self, objective: MarginObjective, space: Space, state: State, trace: Trace) -> State:
        """Make one pass over all lists."""
        at = _unpack(state) if state.memory else objective.begin(state.weights)
        order = np.random.default_rng([self.seed, state.steps]).permutation(objective.lists)
        lower = np.where(space.free, space.lower, space.start)
        upper = np.where(space.free, space.upper, space.start)
        at = self._shrink(objective.learn(order, self.c, lower, upper, at), space, objective.lists)
        average = space.project(at.average)
        loss = objective.loss(average) + space.penalty(average)
        trace(loss, average)
        best, best_loss = (average, loss) if loss < state.loss else (state.weights, state.loss)
        return State(best, best_loss, state.steps + 1, state.steps + 1 >= self.epochs, _pack(at))

    def _shrink(self, at: Passed, space: Space, lists: int) -> Passed:
        if space.l1 == 0 and space.l2 == 0:
            return at
        l1, l2 = self.c * space.l1 * lists, self.c * space.l2 * lists
        shrunk = np.sign(at.weights) * np.maximum(np.abs(at.weights) - l1, 0.0) / (1.0 + l2)
        weights = space.project(shrunk)
        return Passed(
            weights, at.drift + at.steps * (weights - at.weights), at.background, at.steps, at.updates
        )


def _pack(at: Passed) -> dict[str, FloatArray]:
    return {
        "weights": at.weights,
        "drift": at.drift,
        "background": at.background,
        "steps": np.array([at.steps], dtype=np.float64),
    }


def _unpack(state: State) -> Passed:
    memory = state.memory
    return Passed(memory["weights"], memory["drift"], memory["background"], int(memory["steps"][0]))
