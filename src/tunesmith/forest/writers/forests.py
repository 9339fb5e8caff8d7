"""Tunesmith's mapped file of forests."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from tunesmith.files import PathLike
from tunesmith.forest.file import ForestWriter
from tunesmith.forest.forest import Forest
from tunesmith.forest.writers.base import WRITERS, Writer

__all__ = ["Forests"]


@WRITERS.register("forests")
@dataclass(frozen=True)
class Forests(Writer):
    """Many forests in one mapped file, compressed; nothing of a forest is lost."""

    name: ClassVar[str] = "forests"
    summary: ClassVar[str] = "Tunesmith's own mapped file; lossless"
    suffixes: ClassVar[tuple[str, ...]] = (".bin", ".forests")

    def write(self, path: PathLike, items: Iterable[tuple[str, Forest]]) -> int:
        with ForestWriter(path) as writer:
            for sentence, forest in items:
                writer.add(forest, sentence)
            return len(writer)
