"""AdaGrad on the hinge of hope and fear, with a lazy L1 penalty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tunesmith import _native
from tunesmith.options import option, require_positive
from tunesmith.tuning.online.updates.base import UPDATES, Example, OnlineUpdate, Step

__all__ = ["AdagradUpdate"]


@UPDATES.register("adagrad")
@dataclass(frozen=True)
class AdagradUpdate(OnlineUpdate):
    """s_i += d_i^2, w_i = soft(w_i + rate d_i / sqrt(s_i), rate l1 / sqrt(s_i)), d = f(hope) - f(fear) where
    the margin is violated (Duchi et al. 2011, with FOBOS of Duchi and Singer 2009, as Green et al. 2013).

    The penalty of a feature that does not occur is applied when it next does, and to all at the end of a
    pass; until then decoders see the weight without it. It has rates of its own: `adaptive` is not used.
    """

    name: ClassVar[str] = "adagrad"
    summary: ClassVar[str] = "steps by the history of each feature, with a penalty that makes weights 0"
    has_rates: ClassVar[bool] = True

    rate: float = option(0.02, help="Size of the first steps.")
    l1: float = option(0.0001, help="Strength of the L1 penalty.", least=0)

    def __post_init__(self) -> None:
        super().__post_init__()
        require_positive(self.name, rate=self.rate)

    def learn(self, example: Example, step: Step) -> _native.FeatureVector | None:
        if not example.violated:
            return None
        difference = example.candidates.difference(example.hope, example.fear)
        _native.adagrad_step(step.store, difference, self.l1, self.rate * step.share, step.number)
        return difference or None

    def finish(self, store: _native.WeightStore, start: _native.WeightStore, steps: int) -> None:
        if self.l1 > 0:
            _native.settle_penalties(store, self.l1, self.rate, steps)
