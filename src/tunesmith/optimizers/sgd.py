"""Stochastic gradient descent with proximal penalties (Bottou 2004)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tunesmith.errors import OptionError
from tunesmith.objectives.base import SmoothObjective
from tunesmith.optimizers.base import OPTIMIZERS, State, Trace
from tunesmith.optimizers.space import Space
from tunesmith.optimizers.stochastic import StochasticDescent

__all__ = ["Sgd"]


@OPTIMIZERS.register("sgd")
@dataclass(frozen=True)
class Sgd(StochasticDescent):
    """Stochastic descent with eta = rate / (1 + decay * epochs passed).

    The default rate and tolerance are those of Auli, Galley and Gao (2014), who visit one list at a time.
    """

    decay: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.decay >= 0:
            raise OptionError(f"decay must be at least 0, not {self.decay}")

    def step(self, objective: SmoothObjective, space: Space, state: State, trace: Trace) -> State:
        return self.epoch(objective, space, state, trace, np.zeros(0), self.decay)
