"""Parsing evaluation sets: NIST's SGML and XML (srcset, refset, tstset), and WMT's XML (dataset).

Only sets, documents, versions and segments matter; other elements (p, hl, poster) may be unclosed or missing.
A segment ends at its `</seg>`: text in between may contain `<` and `&` that are not escaped.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tunesmith.corpus.sets.evaluation_set import EvaluationSet, Segment, SegmentName, Version
from tunesmith.errors import InputError

__all__ = ["ROOTS", "is_set", "parse_set"]

ROOTS = ("srcset", "refset", "tstset", "mteval", "dataset")
"""Elements that a set begins with."""

_PROLOG = r"(?:\s|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*(?:\[.*?\])?\s*>)*"
_ROOT = re.compile(rf"\ufeff?{_PROLOG}<({'|'.join(ROOTS)})[\s>]", re.IGNORECASE | re.DOTALL)
_ATTRIBUTE = re.compile(r"""([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>/]+))""")
_TAG = re.compile(
    r"""<!--.*?-->|<[?!][^>]*>|<(?P<close>/?)(?P<name>[A-Za-z][\w.:-]*)"""
    r"""(?P<rest>(?:[\s/](?:\s|"[^"]*"|'[^']*'|[^\s"'<>])*)?)>""",
    re.DOTALL,
)
_END = re.compile(r"</seg\s*>", re.IGNORECASE)
_SEG = re.compile(r"<seg[\s>]", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]*));")
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_KINDS = {"srcset": "src", "refset": "ref", "tstset": "hyp", "src": "src", "ref": "ref", "hyp": "hyp"}
_SYSTEMS = ("sysid", "refid", "translator", "system")
_IDS = ("docid", "id")


def is_set(text: str) -> bool:
    """Return whether a text begins like a set: with one of `ROOTS`, after declarations and comments."""
    return _ROOT.match(text) is not None


def parse_set(text: str, path: object = None) -> EvaluationSet:
    """Parse a set; errors name the line."""
    return _Parser(text, path).parse()


@dataclass
class _Parser:
    text: str
    path: object
    kind: str | None = None
    """Of the current set or version: src, ref or hyp."""
    system: str = ""
    document: str | None = None
    made: EvaluationSet = field(init=False)

    def __post_init__(self) -> None:
        self.made = EvaluationSet(self.path)
        self._ends = [found.start() for found in re.finditer("\n", self.text)]

    def parse(self) -> EvaluationSet:
        at = 0
        while found := _TAG.search(self.text, at):
            at = found.end()
            name = (found["name"] or "").lower()
            if name == "seg" and not found["close"]:
                at = self._segment(found)
            elif found["close"]:
                self._close(name)
            elif name:
                self._open(name, found)
        if not self.made.names:
            raise InputError("the set has no <seg>", path=self.path)
        return self.made

    def _open(self, name: str, tag: re.Match[str]) -> None:
        attributes = self._attributes(tag)
        if name in ROOTS:
            self.made.attributes.update(attributes)
        if name in _KINDS:
            self.kind, self.system = _KINDS[name], _first(attributes, _SYSTEMS)
        elif name == "doc":
            self.document = _first(attributes, _IDS)
            if not self.document:
                raise InputError("a <doc> without docid or id", path=self.path, line=self._line(tag.start()))
            self.made.documents.setdefault(self.document, {}).update(attributes)
            self.system = _first(attributes, _SYSTEMS) or self.system

    def _close(self, name: str) -> None:
        if name == "doc":
            self.document = None
        elif name in _KINDS:
            self.kind = None

    def _segment(self, tag: re.Match[str]) -> int:
        """Add a segment; return where it ends."""
        line = self._line(tag.start())
        end = _END.search(self.text, tag.end())
        inner = self.text[tag.end() : end.start() if end else len(self.text)]
        if end is None or _SEG.search(inner):
            raise InputError("a <seg> without </seg>", path=self.path, line=line)
        if self.document is None:
            raise InputError("a <seg> outside of a <doc>", path=self.path, line=line)
        if self.kind is None:
            message = "a <seg> outside of a set or version; expected <srcset>, <refset>, <tstset>,"
            raise InputError(f"{message} <src>, <ref> or <hyp> around it", path=self.path, line=line)
        version = self._version()
        own = _first(self._attributes(tag), ("id",))
        if not own:
            own = str(sum(name.document == self.document for name in version) + 1)
        name = SegmentName(self.document, own)
        if name in version:
            what = f" of {self.system!r}" if self.system else ""
            raise InputError(f"the segment {name}{what} is there twice", path=self.path, line=line)
        version[name] = Segment(_plain(inner), line)
        return end.end()

    def _version(self) -> Version:
        if self.kind == "src":
            return self.made.source
        versions = self.made.references if self.kind == "ref" else self.made.outputs
        return versions.setdefault(self.system, {})

    def _attributes(self, tag: re.Match[str]) -> dict[str, str]:
        return {name.lower(): _unescaped(value) for name, value in _pairs(tag["rest"] or "")}

    def _line(self, at: int) -> int:
        return bisect.bisect_left(self._ends, at) + 1


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    for name, double, single, bare in _ATTRIBUTE.findall(text):
        yield name, double or single or bare


def _first(attributes: dict[str, str], names: tuple[str, ...]) -> str:
    return next((attributes[name].strip() for name in names if attributes.get(name)), "")


def _plain(inner: str) -> str:
    """Return the text of a segment on one line."""
    pieces = _CDATA.split(inner)
    decoded = [_unescaped(piece) if number % 2 == 0 else piece for number, piece in enumerate(pieces)]
    return " ".join("".join(decoded).split())


def _unescaped(text: str) -> str:
    """Replace entities; an unknown one stays as it is."""
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(entity: re.Match[str]) -> str:
    if entity[3]:
        from html.entities import html5  # a table of 2,000 names, which few texts need

        return html5.get(f"{entity[3]};", entity[0])
    code = int(entity[1]) if entity[1] else int(entity[2], 16)
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else entity[0]
