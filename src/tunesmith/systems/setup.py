"""Setups: how a worker opens a system and its references, by paths and options."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import fields
from functools import cached_property

from tunesmith.systems.base import System
from tunesmith.texts import Texts
from tunesmith.types import IntArray

__all__ = ["NO_FOLD", "Setup"]

NO_FOLD = -1
"""The fold of sentences that the model was not trained on."""


class Setup(ABC):
    """A frozen dataclass of paths and options: small when pickled, equal for equal systems.

    Files are `Path`s, so that executors can send them to workers that share no folder.
    """

    def __getstate__(self) -> dict[str, object]:
        """Return the fields, and nothing that was opened."""
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    @abstractmethod
    def open(self, size: int | None = None, fold: int | None = None) -> System:
        """Open the system for lists of this size [default: whole ones], without a fold if one is given.

        `NO_FOLD` is for sentences that the model was not trained on.
        """

    @cached_property
    def system(self) -> System:
        """The system of this process, which knows features and sentences; nothing is translated with it."""
        return self.open()

    @abstractmethod
    def read_references(self) -> tuple[Texts, ...]:
        """Return the references: texts of all sentences, once per reference."""

    @property
    @abstractmethod
    def details(self) -> Mapping[str, object]:
        """What results depend on, by name, ready for JSON."""

    @property
    @abstractmethod
    def start(self) -> Mapping[str, float]:
        """The weights to start from if none are given."""

    def folds(self) -> IntArray | None:
        """Return the jackknife fold of each sentence; None without jackknife."""
        return None

    def place(self, sentence: int) -> str:
        """Return what errors call a sentence, from 0: its file and line, if it has a line of its own."""
        return f"sentence {sentence + 1}"

    def check_shipping(self) -> None:  # noqa: B027 - most name all of their files
        """Raise an InputError if workers need files that the setup does not name."""
