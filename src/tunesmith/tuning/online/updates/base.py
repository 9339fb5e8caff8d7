"""The interface of online updates: how the candidates of one sentence change the weights."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from tunesmith import _native
from tunesmith.errors import OptionError
from tunesmith.options import build, check_options
from tunesmith.registry import Registry
from tunesmith.systems.candidates import Candidates
from tunesmith.types import FloatArray

__all__ = ["UPDATES", "Example", "OnlineUpdate", "Step", "configured_update"]

UPDATES: Registry[type[OnlineUpdate]] = Registry("online update", "tunesmith.tuning.online.updates")


@dataclass(frozen=True)
class Example:
    """The candidates of a sentence with B of each in the document, and what is chosen among them.

    hope = argmax score + B, fear = argmax score - B, best = argmax score, and the loss
    B(hope) - B(fear) - (score(hope) - score(fear)); it is `violated` if it is positive and B(hope) > B(fear).
    """

    candidates: Candidates
    gains: FloatArray
    hope: int
    fear: int
    best: int
    loss: float
    violated: bool

    @classmethod
    def of(cls, candidates: Candidates, gains: FloatArray) -> Self:
        """Choose among the candidates."""
        return cls(candidates, gains, *_native.choose_hope_fear(candidates.scores, gains))


@dataclass(frozen=True)
class Step:
    """Where an update writes: the store, the number of the step in the pass, from 0, the share of the
    sentence in its batch, and lambda of the adaptive rates (0: a single rate)."""

    store: _native.WeightStore
    number: int
    share: float = 1.0
    adaptive: float = 0.0


class OnlineUpdate(ABC):
    """A frozen dataclass of options. `learn` is called with each sentence in turn."""

    name: ClassVar[str]
    summary: ClassVar[str]
    needs_lists: ClassVar[bool] = False
    """Whether it needs many candidates: more than the best, the hope and the fear."""
    has_rates: ClassVar[bool] = False
    """Whether it divides steps by a history of each feature whatever `adaptive` is."""

    def __post_init__(self) -> None:
        """Check the options."""
        check_options(self, self.name)

    @classmethod
    def configure(cls, options: Mapping[str, Any]) -> Self:
        """Return the update with its options; an unknown one is an OptionError."""
        return build(cls, cls.name, options)

    @abstractmethod
    def learn(self, example: Example, step: Step) -> _native.FeatureVector | None:
        """Change the weights, and return the features that were changed; None if none were."""

    def finish(  # noqa: B027 - most have nothing to do
        self, store: _native.WeightStore, start: _native.WeightStore, steps: int
    ) -> None:
        """Do what is left at the end of a pass of `steps` steps; `start` are the first weights of the run."""


def configured_update(update: str | OnlineUpdate, options: Mapping[str, Any]) -> OnlineUpdate:
    """Return an update with its options, which an instance has already."""
    if isinstance(update, str):
        return UPDATES[update].configure(options)
    if options:
        raise OptionError(f"options {sorted(options)} are given beside a configured update")
    return update
