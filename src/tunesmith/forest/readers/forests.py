"""Tunesmith's mapped file of forests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from tunesmith.candidates.readers import Source
from tunesmith.container import MAGIC
from tunesmith.errors import InputError
from tunesmith.forest.file import ForestFile
from tunesmith.forest.forest import Forest
from tunesmith.forest.readers.base import READERS, Reader

__all__ = ["Forests"]


@READERS.register("forests")
@dataclass(frozen=True)
class Forests(Reader):
    """Many forests in one mapped file, compressed; nothing of a forest is lost."""

    name: ClassVar[str] = "forests"
    summary: ClassVar[str] = "Tunesmith's own mapped file; lossless"

    @classmethod
    def recognizes(cls, head: bytes) -> bool:
        return head.startswith(MAGIC)

    def read(self, source: Source) -> Iterator[tuple[str, Forest]]:
        if str(source.path) == "-":
            raise InputError("a mapped file cannot be read from standard input; give its name")
        return ForestFile.open(source.path).items()
