"""What an output is: translations in, in the order of the input, a batch at a time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import BinaryIO, ClassVar, NamedTuple

from tunesmith.decode.request import Request
from tunesmith.decode.translation import Translation

__all__ = ["Decoded", "Flush", "Output"]


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

    needs_forests: ClassVar[bool] = False

    @abstractmethod
    def write(self, batch: Sequence[Decoded]) -> None:
        """Write a batch."""


class Flush(Output):
    """Sends on what was written of a batch. Files need none, and would compress worse."""

    def __init__(self, streams: Sequence[BinaryIO]) -> None:
        self._streams = streams

    def write(self, batch: Sequence[Decoded]) -> None:
        for stream in self._streams:
            stream.flush()
