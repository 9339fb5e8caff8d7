"""Setups: how a worker opens a system and its references, by paths and options."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

from tunesmith.systems.base import System
from tunesmith.texts import Texts
from tunesmith.types import IntArray
from tunesmith.weights import WeightStore

__all__ = ["NO_FOLD", "Setup"]

NO_FOLD = -1
"""The fold of sentences that the model was not trained on."""


class Setup(ABC):
    """A frozen dataclass of paths and options: small when pickled, equal for equal systems.

    Files are `Path`s, so that executors can send them to workers that share no folder.
    """

    balances_start: ClassVar[bool] = False
    """Whether start weights are scaled by default, so that scores vary as much as gains."""

    knows_features: ClassVar[bool] = True
    """Whether no features can occur but `known_names`, those of the start weights and those of templates."""

    has_forests: ClassVar[bool] = False
    """Whether its system returns forests, not only lists of candidates."""

    @abstractmethod
    def open(self, size: int, fold: int = NO_FOLD) -> System:
        """Open the system for the sentences of a fold; `NO_FOLD`: of none. Lists have `size` candidates."""

    @abstractmethod
    def read_references(self) -> tuple[Texts, ...]:
        """Return the references: texts of all sentences, once per reference."""

    @property
    @abstractmethod
    def details(self) -> Mapping[str, object]:
        """What results depend on, by name, ready for JSON."""

    @property
    def defaults(self) -> Mapping[str, object]:
        """The defaults of the options among the details; records of earlier runs lack newer options."""
        return {}

    @abstractmethod
    def __len__(self) -> int:
        """Return the number of sentences."""

    @property
    @abstractmethod
    def start(self) -> Mapping[str, float]:
        """The weights to start from if none are given."""

    @property
    def dense_names(self) -> Sequence[str]:
        """The names of its system's dense features, as far as they are known before it is open."""
        return ()

    @property
    def known_names(self) -> Sequence[str]:
        """The names of all its features that are known before its system is open; none of templates."""
        return self.dense_names

    def fitted(self, start: WeightStore) -> WeightStore:
        """Return start weights as the features are named, and warn of those that no feature can have."""
        return start

    def folds(self) -> IntArray | None:
        """Return the jackknife fold of each sentence; None without jackknife."""
        return None

    def place(self, sentence: int) -> str:
        """Return what errors call a sentence, from 0: its file and line, if it has a line of its own."""
        return f"sentence {sentence + 1}"

    def check_shipping(self) -> None:  # noqa: B027 - most name all of their files
        """Raise an InputError if workers need files that the setup does not name."""

    def messages(self, name: str) -> list[str]:
        """Return warnings about the sentences; `name` is what the set is for."""
        return []

    @property
    def templates(self) -> Sequence[str]:
        """The names that begin those of the templates' features, for counts by template."""
        return ()

    @property
    def about(self) -> Mapping[str, object]:
        """What a file of weights records so that a decoder can use them: templates and search options."""
        return {}
