"""What a loop has seen so far: it grows with each round of decoding, and methods learn from it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field

from tunesmith.metrics.base import Metric
from tunesmith.optimizers.space import Space
from tunesmith.texts import Texts
from tunesmith.tune.history import Journal, Record
from tunesmith.tune.method import Solution
from tunesmith.weights import Weights

__all__ = ["Evidence", "Round"]


@dataclass(frozen=True)
class Round:
    """What one round of decoding brought: the best translations, and what to tell of the rest."""

    best: Texts
    facts: Record = field(default_factory=dict)
    """`candidates` or `edges` that there are now; `new`: candidates that were not there before."""


class Evidence(ABC):
    """Candidate lists or forests of the rounds so far. All of a round is on disk when `gather` returns."""

    @abstractmethod
    def gather(self, number: int, weights: Weights) -> Round:
        """Decode under the weights as round `number`, from 1, and add what comes up."""

    @abstractmethod
    def recall(self, number: int) -> None:
        """Read what rounds 1 to `number` left on disk: the state after `gather(number, ...)`, bit for bit."""

    @abstractmethod
    def forget(self, number: int) -> None:
        """Remove what earlier rounds left and round `number`, which is safe by now, has no need of."""

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """The features that have come up, in the order of weight arrays."""

    @property
    @abstractmethod
    def lists(self) -> int:
        """The number of sentences to learn from."""

    @abstractmethod
    def check(self, metric: Metric, space: Space) -> None:
        """Raise DegenerateError if no weights can make a difference."""

    @abstractmethod
    def learn(self, metric: Metric, space: Space, seed: int, journal: Journal) -> Solution:
        """Run the method."""

    def start(self, weights: Mapping[str, float]) -> dict[str, float]:
        """Return the weights of the features that have come up; those of zero are left to the bounds."""
        return {name: weights[name] for name in self.names if weights.get(name)}
