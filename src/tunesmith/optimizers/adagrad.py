"""AdaGrad: a learning rate for each weight (Duchi, Hazan and Singer 2011)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tunesmith.errors import OptionError
from tunesmith.objectives.base import SmoothObjective
from tunesmith.optimizers.base import OPTIMIZERS, Optimizer, State, Trace
from tunesmith.optimizers.space import Space
from tunesmith.optimizers.stochastic import Epochs

__all__ = ["Adagrad"]


@OPTIMIZERS.register("adagrad")
@dataclass(frozen=True)
class Adagrad(Optimizer[SmoothObjective]):
    """w <- clip(shrink(w - eta * g)) for each batch of lists, with eta = rate / sqrt(sum of g^2 so far).

    Rare features learn as fast as frequent ones and the scale of a feature does not matter. The
    shrinkage of the penalties uses the same rates (proximal AdaGrad). A weight whose gradient was
    always zero stays where it is. O(nonzeros of the batch) a step.
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
        _ = self._epochs

    @property
    def _epochs(self) -> Epochs:
        return Epochs(self.epochs, self.batch, self.average, self.tolerance, self.seed)

    def step(self, objective: SmoothObjective, space: Space, state: State, trace: Trace) -> State:
        squares = state.memory.get("squares", np.zeros(space.width))
        return self._epochs.step(objective, space, state, trace, rate=self.rate, decay=0.0, squares=squares)
