"""The structured perceptron with local updates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tunesmith import _native
from tunesmith.options import option, require_positive
from tunesmith.tuning.online.updates.base import UPDATES, Example, OnlineUpdate, Step

__all__ = ["PerceptronUpdate"]


@UPDATES.register("perceptron")
@dataclass(frozen=True)
class PerceptronUpdate(OnlineUpdate):
    """w += rate (f(oracle) - f(best)) if B(oracle) > B(best): the oracle is the candidate of the largest B,
    of equal ones that of the highest score (Collins 2002; local updates: Liang et al. 2006). From a forest,
    candidates are the best, the hope and the fear: the oracle is then usually the hope."""

    name: ClassVar[str] = "perceptron"
    summary: ClassVar[str] = "steps of one size from the best candidate toward the oracle of the list"

    rate: float = option(0.01, help="Size of steps.")

    def __post_init__(self) -> None:
        super().__post_init__()
        require_positive(self.name, rate=self.rate)

    def learn(self, example: Example, step: Step) -> _native.FeatureVector | None:
        gains, scores = example.gains, example.candidates.scores
        oracle = int(np.lexsort((-scores, -gains))[0])
        if not gains[oracle] > gains[example.best]:
            return None
        difference = example.candidates.difference(oracle, example.best)
        _native.move_weights(step.store, difference, 1.0, self.rate * step.share, step.adaptive, step.number)
        return difference or None
