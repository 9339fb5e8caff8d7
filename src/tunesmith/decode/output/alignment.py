"""Word alignments of the best translations, one line per sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO

from tunesmith.decode.output.base import Decoded, Output

__all__ = ["BestAlignment"]


class BestAlignment(Output):
    """`0-0 1-2`: positions of source and target words, from 0, of the links within phrases."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def write(self, batch: Sequence[Decoded]) -> None:
        lines = (" ".join(f"{i}-{j}" for i, j in found.translation.alignment) for found in batch)
        self._stream.write("".join(f"{line}\n" for line in lines).encode("ascii"))
