"""AdaGrad: a learning rate per weight (Duchi, Hazan and Singer 2011)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tunesmith.objectives.base import SmoothObjective
from tunesmith.optimizers.base import OPTIMIZERS, State, Trace
from tunesmith.optimizers.space import Space
from tunesmith.optimizers.stochastic import StochasticDescent

__all__ = ["Adagrad"]


@OPTIMIZERS.register("adagrad")
@dataclass(frozen=True)
class Adagrad(StochasticDescent):
    """Stochastic descent with eta = rate / sqrt(sum of g^2 so far), per weight.

    Rare features learn as fast as frequent ones and the scale of a feature does not matter. The
    shrinkage of the penalties uses the same rates (proximal AdaGrad). A weight whose gradient was
    always zero does not change.
    """

    def step(self, objective: SmoothObjective, space: Space, state: State, trace: Trace) -> State:
        squares = state.memory.get("squares", np.zeros(space.width))
        return self.epoch(objective, space, state, trace, squares)
