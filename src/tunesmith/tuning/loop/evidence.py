"""What a loop has seen so far: it grows with each round of decoding, and methods learn from it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from tunesmith.texts import Texts
from tunesmith.tuning.ground import Ground
from tunesmith.tuning.history import Record
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
    def ground(self) -> Ground:
        """What to learn from by now, and how."""
