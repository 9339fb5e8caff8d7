"""Stochastic gradient descent with proximal penalties (Bottou 2004)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tunesmith.errors import OptionError
from tunesmith.objectives.base import SmoothObjective
from tunesmith.optimizers.base import OPTIMIZERS, Optimizer, State, Trace
from tunesmith.optimizers.space import Space
from tunesmith.optimizers.stochastic import Epochs

__all__ = ["Sgd"]


@OPTIMIZERS.register("sgd")
@dataclass(frozen=True)
class Sgd(Optimizer[SmoothObjective]):
    """w <- clip(shrink(w - eta * g)) for each batch of lists, g the gradient of the batch's mean loss.

    eta = rate / (1 + decay * epochs passed); shrink is the proximal step of the L1 and L2 penalties.
    O(nonzeros of the batch) a step, however many weights there are: weights whose features do not
    fire are shrunk when they are next needed. An epoch ends with its average weights, or
    with `average=False` with its last ones. The default rate is that of Auli, Galley and Gao (2014), who
    visit one list at a time; `tolerance` too.
    """

    epochs: int = 30
    rate: float = 0.1
    decay: float = 0.0
    batch: int = 1
    average: bool = True
    tolerance: float = 0.0003
    seed: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (self.rate > 0 and self.decay >= 0):
            raise OptionError(f"expected rate > 0 and decay >= 0, found {self.rate} and {self.decay}")
        _ = self._epochs

    @property
    def _epochs(self) -> Epochs:
        return Epochs(self.epochs, self.batch, self.average, self.tolerance, self.seed)

    def step(self, objective: SmoothObjective, space: Space, state: State, trace: Trace) -> State:
        return self._epochs.step(
            objective, space, state, trace, rate=self.rate, decay=self.decay, squares=np.zeros(0)
        )
