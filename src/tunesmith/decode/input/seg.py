"""Sentences in `<seg>` elements, as cdec and evaluation sets have them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import ClassVar

from tunesmith.decode.input.base import INPUT_FORMATS, InputFormat
from tunesmith.decode.input.plf import Plf
from tunesmith.decode.request import Request
from tunesmith.errors import InputError

__all__ = ["Seg"]

_ATTRIBUTE = r"""\s+([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')"""
_ATTRIBUTES = re.compile(_ATTRIBUTE)
_SEG = re.compile(rf"\s*<seg((?:{_ATTRIBUTE})*)\s*>(.*?)</seg>\s*(?:(?:\|\|\||\t).*)?", re.DOTALL)


@INPUT_FORMATS.register("seg")
class Seg(InputFormat):
    """`<seg id="7" grammar="...">text</seg> ||| reference`: the id is kept, the reference left aside.

    Between the tags stands a sentence or a lattice in PLF. Other attributes are kept with the request; the
    phrase decoder has no use for them.
    """

    name: ClassVar[str] = "seg"
    summary: ClassVar[str] = '<seg id="7">sentence or lattice</seg>, references after it left aside'

    @classmethod
    def recognizes(cls, line: str) -> bool:
        return re.match(r"\s*<seg[\s>]", line) is not None

    @classmethod
    def parse(cls, line: str) -> Request:
        found = _SEG.fullmatch(line)
        if found is None:
            raise InputError(
                f"""expected <seg id="7">text</seg>, found {line.strip()[:60]!r};"""
                " pass input_format='text' (--input-format text) if that is a sentence"
            )
        attributes: dict[str, str] = {}
        for name, double, single in _ATTRIBUTES.findall(found[1]):
            if name in attributes:
                raise InputError(f"the attribute {name!r} is given twice")
            attributes[name] = double or single
        name = attributes.pop("id", None)
        if name is not None and not name.strip():
            raise InputError("the id of a <seg> is empty; give one or leave it out")
        inner = found[found.re.groups].strip()
        request = Plf.parse(inner) if Plf.recognizes(inner) else Request(inner)
        return replace(request, id=None if name is None else name.strip(), attributes=attributes)
