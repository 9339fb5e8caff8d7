"""N-best lists of Travatar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tunesmith.candidates.pool import Pool
from tunesmith.candidates.readers.base import READERS, Reader, Source
from tunesmith.candidates.readers.nbest import parse_nbest, style_of

__all__ = ["Travatar"]


@READERS.register("travatar")
@dataclass(frozen=True)
class Travatar(Reader):
    """`ID ||| text ||| total ||| name=v name=v [||| ...]`; the last `=` separates."""

    name: ClassVar[str] = "travatar"
    summary: ClassVar[str] = "n-best lists of Travatar"
    numbered: ClassVar[bool] = True

    @classmethod
    def recognizes(cls, head: bytes) -> bool:
        return style_of(head) == "travatar"

    def parse(self, source: Source) -> Pool:
        return parse_nbest("travatar", source)
