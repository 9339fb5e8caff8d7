"""The interface of readers of forests: the bytes of one file in, forests with ids out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from tunesmith.candidates.readers import Source
from tunesmith.files import COMPRESSIONS, PathLike
from tunesmith.forest.forest import Forest
from tunesmith.registry import Registry

__all__ = ["READERS", "Reader", "sentence_of"]

READERS: Registry[type[Reader]] = Registry("forest format", "tunesmith.forest.readers")


@dataclass(frozen=True)
class Reader(ABC):
    """A frozen dataclass; its fields are the options of the format."""

    name: ClassVar[str]
    summary: ClassVar[str]

    @classmethod
    @abstractmethod
    def recognizes(cls, head: bytes) -> bool:
        """Return whether the first bytes of a file are of this format."""

    @abstractmethod
    def read(self, source: Source) -> Iterator[tuple[str, Forest]]:
        """Yield forests with the ids of their sentences; errors need not name the file."""


def sentence_of(path: PathLike) -> str:
    """Return the number in the name of a file of one sentence, such as `12.gz` or `12.json.gz`; else "0"."""
    file = Path(path)
    while file.suffix in COMPRESSIONS or (file.suffix and not file.stem.isdecimal()):
        file = file.with_suffix("")
    return file.stem if file.stem.isdecimal() else "0"
