"""What an output is: translations in, in the order of the input, a batch at a time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

from tunesmith.decode.request import Request
from tunesmith.decode.translation import Translation

__all__ = ["Decoded", "Output"]


class Decoded(NamedTuple):
    """A request and its translation."""

    request: Request
    translation: Translation

    @property
    def id(self) -> str:
        """The id of the sentence, which every request of a file has."""
        return self.request.id or ""


class Output(ABC):
    """Writes something of each translation."""

    needs_forests = False

    @abstractmethod
    def write(self, batch: Sequence[Decoded]) -> None:
        """Write a batch."""
