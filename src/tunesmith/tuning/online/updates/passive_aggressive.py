"""One passive-aggressive step per sentence: MIRA as in Mr. MIRA."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tunesmith import _native
from tunesmith.options import option, require_positive
from tunesmith.tuning.online.updates.base import UPDATES, Example, OnlineUpdate, Step

__all__ = ["PassiveAggressiveUpdate"]


@UPDATES.register("passive-aggressive")
@dataclass(frozen=True)
class PassiveAggressiveUpdate(OnlineUpdate):
    """w += eta alpha d, d = f(hope) - f(fear), alpha = min(c, loss / |d|^2) (Eidelman 2012; PA-I of Crammer
    et al. 2006). With adaptive rates d_i is divided by sqrt(s_i); alpha keeps the plain |d|^2."""

    name: ClassVar[str] = "passive-aggressive"
    summary: ClassVar[str] = "one step away from the fear and toward the hope, just as long as needed"

    c: float = option(0.01, help="Largest step.")
    rate: float = option(1.0, help="Factor of all steps (eta).")

    def __post_init__(self) -> None:
        super().__post_init__()
        require_positive(self.name, c=self.c, rate=self.rate)

    def learn(self, example: Example, step: Step) -> _native.FeatureVector | None:
        if not example.violated:
            return None
        difference = example.candidates.difference(example.hope, example.fear)
        alpha = _native.passive_aggressive_step(
            step.store,
            difference,
            example.loss,
            self.c,
            self.rate * step.share,
            step.adaptive,
            step.number,
        )
        return difference if alpha > 0 else None
