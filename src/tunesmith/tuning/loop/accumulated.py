"""The training data of a tuning loop: n-best lists or forests accumulated over its rounds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from tunesmith.texts import Texts
from tunesmith.tuning.data import TrainingData
from tunesmith.tuning.history import Record
from tunesmith.weights import Weights

__all__ = ["Accumulated", "Round"]


@dataclass(frozen=True)
class Round:
    """The result of one round of decoding: the best translations, and the size of the training data."""

    best: Texts
    facts: Record = field(default_factory=dict)
    """The number of `candidates` or `edges` so far; `new`: the number of candidates not seen before."""


class Accumulated(ABC):
    """Candidate lists or forests of the rounds so far, on disk by the time `gather` returns."""

    @abstractmethod
    def gather(self, number: int, weights: Weights) -> Round:
        """Decode under the weights as round `number`, from 1, and add the candidates or forests."""

    @abstractmethod
    def recall(self, number: int) -> None:
        """Read rounds 1 to `number` from disk: the state after `gather(number, ...)`, bit for bit.

        The digests of the files were compared before (`Rounds.verify`).
        """

    @abstractmethod
    def forget(self, number: int) -> None:
        """Remove files of earlier rounds that are not needed once round `number` is finished."""

    @property
    @abstractmethod
    def data(self) -> TrainingData:
        """The training data of the rounds so far."""
