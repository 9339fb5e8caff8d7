"""The interface of outputs: batches of translations in, in the order of the input."""

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
        """The id of the sentence; every request of a file has one."""
        return self.request.id or ""


class Output(ABC):
    """Writes one aspect of each translation."""

    needs_forests: ClassVar[bool] = False

    @property
    def head_size(self) -> int:
        """Bytes at the start of its file that are about the whole file."""
        return 0

    @abstractmethod
    def write(self, batch: Sequence[Decoded]) -> None:
        """Write a batch."""


class Flush(Output):
    """Flushes pipes and terminals after each batch. Files need no flush, and would compress worse."""

    def __init__(self, streams: Sequence[BinaryIO]) -> None:
        self._streams = streams

    def write(self, batch: Sequence[Decoded]) -> None:
        for stream in self._streams:
            stream.flush()
