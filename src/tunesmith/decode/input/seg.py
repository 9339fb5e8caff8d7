"""Sentences in `<seg>` elements, as in cdec and evaluation sets."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import ClassVar
from xml.sax.saxutils import unescape

from tunesmith import _native
from tunesmith.decode.input.base import INPUT_FORMATS, InputFormat
from tunesmith.decode.input.plf import Plf
from tunesmith.decode.request import Request
from tunesmith.errors import InputError

__all__ = ["Seg"]

_ATTRIBUTE = r"""\s+([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')"""
_ATTRIBUTES = re.compile(_ATTRIBUTE)
_SEG = re.compile(rf"\s*<seg((?:{_ATTRIBUTE})*)\s*>(.*?)</seg>[^\S\t]*((?:\|\|\||\t).*)?", re.DOTALL)
_RULE = re.compile(r"\s*\[[^\s\[\]]+\]\s*\|\|\|")
_ENTITIES = {"&quot;": '"', "&apos;": "'", "&#9;": "\t"}


@INPUT_FORMATS.register("seg")
class Seg(InputFormat):
    """`<seg id="7" grammar="...">text</seg> ||| reference`: the id is kept, the reference ignored.

    The element contains a sentence or a lattice in PLF. `grammar` names a file of rules for the sentence, or
    `file#7` grammar 7 of a mapped file of many.
    Rules in cdec's format may follow the element too, a tab before each, as in Mr. MIRA; text before them is
    a reference. The words of a sentence with a grammar are escaped as in the grammar. Other attributes are
    kept with the request.
    """

    name: ClassVar[str] = "seg"
    summary: ClassVar[str] = (
        '<seg id="7" grammar="file">sentence or lattice</seg>, rules or references after it'
    )

    @classmethod
    def recognizes(cls, line: str) -> bool:
        return re.match(r"\s*<seg[\s>]", line) is not None

    @classmethod
    def parse(cls, line: str) -> Request:
        found = _SEG.fullmatch(line)
        if found is None:
            raise InputError(
                """expected <seg id="7">text</seg>, found {found!r}; set {} to text if that is a sentence""",
                "input_format",
                found=line.strip()[:60],
            )
        attributes: dict[str, str] = {}
        for name, double, single in _ATTRIBUTES.findall(found[1]):
            if name in attributes:
                raise InputError(f"the attribute {name!r} is given twice")
            attributes[name] = double or single
        name = attributes.pop("id", None)
        if name is not None and not name.strip():
            raise InputError("the id of a <seg> is empty; give one or omit the attribute")
        file = attributes.pop("grammar", None)
        if file is not None and not file.strip():
            raise InputError("the grammar of a <seg> is empty; name a file or omit the attribute")
        rules = _rules(found[found.re.groups] or "")
        inner = found[found.re.groups - 1].strip()
        if Plf.recognizes(inner):
            request = Plf.parse(inner)
        else:
            is_escaped = file is not None or rules is not None
            request = Request(_native.unescape_rule_words(inner) if is_escaped else inner)
        path, number = _grammar(file)
        return replace(
            request,
            grammar=path,
            grammar_number=number,
            rules=rules,
            id=None if name is None else name.strip(),
            attributes=attributes,
        )


def _grammar(name: str | None) -> tuple[Path | None, int | None]:
    """Return the file of a grammar, and its number in a mapped file of many."""
    if name is None:
        return None, None
    path, sign, number = unescape(name, _ENTITIES).rpartition("#")
    if sign and path and number.isascii() and number.isdigit() and len(number) < 10:
        return Path(path), int(number)
    return Path(unescape(name, _ENTITIES)), None


def _rules(rest: str) -> str | None:
    """Return the rules after an element, one per line; fields before them are references."""
    first, *fields = [field.strip() for field in rest.split("\t")]
    fields = [field for field in fields if field]
    if not first and fields and not _RULE.match(fields[0]):
        del fields[0]
    rules = [field for field in fields if _RULE.match(field)]
    if (rules or not first) and rules != fields:
        wrong = next(field for field in fields if not _RULE.match(field))
        raise InputError(f"expected a rule such as '[X] ||| das ||| the', found {wrong[:60]!r}")
    return "\n".join(rules) if rules else None
