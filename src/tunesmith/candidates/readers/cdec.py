"""N-best lists of cdec and Joshua."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tunesmith.candidates.pool import Pool
from tunesmith.candidates.readers.base import READERS, Reader, Source
from tunesmith.candidates.readers.nbest import parse_nbest, style_of

__all__ = ["Cdec"]


@READERS.register("cdec")
@dataclass(frozen=True)
class Cdec(Reader):
    """`ID ||| text ||| name=v name=v ||| total [||| ...]`; the last `=` separates."""

    name: ClassVar[str] = "cdec"
    summary: ClassVar[str] = "n-best lists of cdec and Joshua"
    numbered: ClassVar[bool] = True

    @classmethod
    def recognizes(cls, head: bytes) -> bool:
        return style_of(head) == "cdec"

    def parse(self, source: Source) -> Pool:
        return parse_nbest("cdec", source)
