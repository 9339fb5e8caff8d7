"""The forests of all derivations that the search kept, in one file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from tunesmith.decode.output.base import Decoded, Output
from tunesmith.forest.file import ForestWriter

__all__ = ["Forests"]


class Forests(Output):
    """One forest per sentence, under its id; empty if nothing was found."""

    needs_forests: ClassVar[bool] = True

    def __init__(self, writer: ForestWriter) -> None:
        self._writer = writer

    def write(self, batch: Sequence[Decoded]) -> None:
        for found in batch:
            if (forest := found.translation.forest) is not None:
                self._writer.add(forest, found.id)
