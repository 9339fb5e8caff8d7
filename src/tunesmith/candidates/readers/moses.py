"""N-best lists of Moses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tunesmith.candidates.pool import Pool
from tunesmith.candidates.readers.base import READERS, Reader, Source
from tunesmith.candidates.readers.nbest import parse_nbest, style_of

__all__ = ["Moses"]


@READERS.register("moses")
@dataclass(frozen=True)
class Moses(Reader):
    """`ID ||| text ||| Label= v v v name= v ||| total [||| ...]`

    A label with one value is the feature `Label`; with several they are `Label_0`, `Label_1`, ...
    """

    name: ClassVar[str] = "moses"
    summary: ClassVar[str] = "n-best lists of Moses"
    numbered: ClassVar[bool] = True

    @classmethod
    def recognizes(cls, head: bytes) -> bool:
        return style_of(head) == "moses"

    def parse(self, source: Source) -> Pool:
        return parse_nbest("moses", source)
