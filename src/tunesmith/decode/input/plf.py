"""Word lattices, as Moses and cdec read them."""

from __future__ import annotations

from typing import ClassVar

from tunesmith.decode.input.base import INPUT_FORMATS, InputFormat
from tunesmith.decode.lattice import Lattice
from tunesmith.decode.request import Request

__all__ = ["Plf"]


@INPUT_FORMATS.register("plf")
class Plf(InputFormat):
    """`((('A',0.5,1),('C',0.25,1),),(('B',2,1),),)`; see `Lattice`. An empty line is an empty sentence."""

    name: ClassVar[str] = "plf"
    summary: ClassVar[str] = "one word lattice per line"

    @classmethod
    def recognizes(cls, line: str) -> bool:
        return line.startswith(("((('", '((("'))

    @classmethod
    def parse(cls, line: str) -> Request:
        if not line.strip(" \t"):
            return Request("")
        lattice = Lattice(line)
        _ = lattice.native  # report errors here, where the line is known
        return Request("", lattice=lattice)
