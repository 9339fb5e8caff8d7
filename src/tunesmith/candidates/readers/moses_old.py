"""N-best lists of Moses in its old style."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tunesmith.candidates.pool import Pool
from tunesmith.candidates.readers.base import READERS, Reader, Source
from tunesmith.candidates.readers.nbest import parse_nbest, style_of

__all__ = ["OldMoses"]


@READERS.register("moses-old")
@dataclass(frozen=True)
class OldMoses(Reader):
    """`ID ||| text ||| label: v v label: v ||| total [||| ...]`; blanks around `|||` may lack.

    A label with one value is the feature `label`; with several they are `label_0`, `label_1`, ...
    """

    name: ClassVar[str] = "moses-old"
    summary: ClassVar[str] = "n-best lists of Moses in its old style"
    numbered: ClassVar[bool] = True

    @classmethod
    def recognizes(cls, head: bytes) -> bool:
        return style_of(head) == "moses-old"

    def parse(self, source: Source) -> Pool:
        return parse_nbest("moses-old", source)
