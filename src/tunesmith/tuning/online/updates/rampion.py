"""Rampion: subgradient steps on the ramp loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tunesmith import _native
from tunesmith.options import option, require_positive
from tunesmith.tuning.online.updates.base import UPDATES, Example, OnlineUpdate, Step

__all__ = ["RampionUpdate"]


@UPDATES.register("rampion")
@dataclass(frozen=True)
class RampionUpdate(OnlineUpdate):
    """w += rate (f(hope) - f(fear)), the subgradient of max (score - B) - max (score + B), in every step
    whether a margin is violated or not; and an L2 penalty that pulls towards the first weights of the run,
    w -= rate l2 (w - w_0) / n per step of n, applied at the end of the pass (Gimpel and Smith 2012)."""

    name: ClassVar[str] = "rampion"
    summary: ClassVar[str] = "steps of one size from the fear to the hope, held near the start weights"

    rate: float = option(0.0001, help="Size of steps.")
    l2: float = option(1.0, help="Strength of the penalty on the distance from the start weights.", least=0)

    def __post_init__(self) -> None:
        super().__post_init__()
        require_positive(self.name, rate=self.rate)

    def learn(self, example: Example, step: Step) -> _native.FeatureVector | None:
        if example.hope == example.fear:
            return None
        difference = example.candidates.difference(example.hope, example.fear)
        _native.move_weights(step.store, difference, 1.0, self.rate * step.share, step.adaptive, step.number)
        return difference or None

    def finish(self, store: _native.WeightStore, start: _native.WeightStore, steps: int) -> None:
        if steps and self.l2 > 0:
            _native.pull_towards(store, start, (1.0 - self.rate * self.l2 / steps) ** steps)
