"""Batch MIRA: hope/fear margins and passive-aggressive steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tunesmith.candidates.pool import Pool
from tunesmith.errors import OptionError
from tunesmith.objectives.hope_fear import HopeFear
from tunesmith.optimizers.passive_aggressive import PassiveAggressive
from tunesmith.options import require_at_least, require_positive
from tunesmith.tuning.method import METHODS, Method
from tunesmith.tuning.run import Run, Solution
from tunesmith.tuning.standardize import Standardized

__all__ = ["Mira"]


@METHODS.register("mira")
@dataclass(frozen=True)
class Mira(Method):
    """k-best batch MIRA (Cherry and Foster 2012) with a decaying pseudo-document and averaged weights."""

    name: ClassVar[str] = "mira"
    summary: ClassVar[str] = "large-margin passes over the lists; fast and steady, any number of features"

    loss: ClassVar[str] = (
        "minus the metric of the translations that the averaged weights rank first (error rates unchanged)"
    )

    follows_loss: ClassVar[bool] = False  # steps follow margins, passes are compared by the metric

    standardizes: ClassVar[Standardized] = "dense"

    c: float = 0.01
    decay: float = 0.999
    epochs: int = 60

    def __post_init__(self) -> None:
        super().__post_init__()
        require_at_least(1, self.name, epochs=self.epochs)
        require_positive(self.name, c=self.c)
        if not 0 <= self.decay <= 1:
            wrong = {"owner": self.name, "value": self.decay}
            raise OptionError("{owner}: {} must be between 0 and 1, not {value}", "decay", **wrong)

    def depends_on_scale(self, penalized: bool) -> bool:
        return True

    def learn(self, run: Run[Pool]) -> Solution:
        """Make the passes; the average with the best metric on the tuning lists wins."""
        objective = HopeFear.build(run.data, run.metric, threads=run.threads, decay=self.decay)
        optimizer = PassiveAggressive(self.c, self.epochs, run.seed)
        return run.minimize(objective, optimizer)
