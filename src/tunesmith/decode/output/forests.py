"""The forests of all that the search kept, in one file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from tunesmith.decode.output.base import Decoded, Output
from tunesmith.forest.file import ForestWriter

__all__ = ["Forests"]


class Forests(Output):
    """A forest a sentence, empty where nothing was found, under the sentence's id."""

    needs_forests: ClassVar[bool] = True

    def __init__(self, writer: ForestWriter) -> None:
        self._writer = writer

    def write(self, batch: Sequence[Decoded]) -> None:
        for found in batch:
            if (forest := found.translation.forest) is not None:
                self._writer.add(forest, found.id)
