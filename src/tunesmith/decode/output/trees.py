"""The derivations of the best translations, one line per sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO

from tunesmith.decode.output.base import Decoded, Output

__all__ = ["BestTree"]


class BestTree(Output):
    """`[S:0-2 [X:0-1 the house] [X:2 is]]`; an empty line if nothing was found."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def write(self, batch: Sequence[Decoded]) -> None:
        self._stream.write("".join(f"{each.translation.tree}\n" for each in batch).encode("utf-8"))
