"""Parsing evaluation sets: NIST's SGML and XML (srcset, refset, tstset), and WMT's XML (dataset).

Only sets, documents, versions and segments matter; other elements (p, hl, poster) may be unclosed or missing.
A segment ends at its `</seg>`: text in between may contain `<` and `&` that are not escaped.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from tunesmith.corpus.sets.evaluation_set import EvaluationSet, Segment, SegmentName, Version
from tunesmith.corpus.sets.markup import Markup, Tag, root
from tunesmith.errors import InputError

__all__ = ["ROOTS", "is_set", "parse_set"]

ROOTS = ("srcset", "refset", "tstset", "mteval", "dataset")
"""Elements that a set begins with."""

_KINDS = {"srcset": "src", "refset": "ref", "tstset": "hyp", "src": "src", "ref": "ref", "hyp": "hyp"}
_NEEDED = frozenset((*ROOTS, *_KINDS, "doc", "seg"))
_SYSTEMS = ("sysid", "refid", "translator", "system")
_IDS = ("docid", "id")


def is_set(data: bytes) -> bool:
    """Return whether a text begins like a set: with one of `ROOTS`, after declarations and comments."""
    return root(data) in ROOTS


def parse_set(text: str, path: object = None) -> EvaluationSet:
    """Parse a set; errors name the line."""
    return _Parser(Markup(text, _NEEDED, path)).parse()


@dataclass
class _Parser:
    markup: Markup
    kind: str | None = None
    """Of the current set or version: src, ref or hyp."""
    system: str = ""
    document: str | None = None
    made: EvaluationSet = field(init=False)
    _counts: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    """Segments by kind, system and document: ids of those that have none."""

    def __post_init__(self) -> None:
        self.made = EvaluationSet(self.markup.path)

    def parse(self) -> EvaluationSet:
        at = 0
        while (tag := self.markup.next_tag(at)) is not None:
            at = tag.end
            if tag.name == "seg" and not tag.closes:
                at = self._segment(tag)
                continue
            if not tag.closes:
                self._open(tag)
            if tag.closes or tag.empty:
                self._close(tag.name)
        if not self.made.names:
            raise InputError("the set has no <seg>", path=self.markup.path)
        return self.made

    def _open(self, tag: Tag) -> None:
        if tag.name not in _NEEDED:
            return
        attributes = tag.attributes
        if tag.name in ROOTS:
            self.made.attributes.update(attributes)
        if tag.name in _KINDS:
            self.kind, self.system = _KINDS[tag.name], _first(attributes, _SYSTEMS)
        elif tag.name == "doc":
            self.document = _first(attributes, _IDS)
            if not self.document:
                raise self.markup.error("a <doc> without docid or id", tag.start)
            self.made.documents.setdefault(self.document, {}).update(attributes)
            self.system = _first(attributes, _SYSTEMS) or self.system

    def _close(self, name: str) -> None:
        if name == "doc":
            self.document = None
        elif name in _KINDS:
            self.kind = None

    def _segment(self, tag: Tag) -> int:
        """Add a segment; return where it ends."""
        text, end = ("", tag.end) if tag.empty else self.markup.segment(tag)
        if self.document is None:
            raise self.markup.error("a <seg> outside of a <doc>", tag.start)
        if self.kind is None:
            message = "a <seg> outside of a set or version; expected <srcset>, <refset>, <tstset>,"
            raise self.markup.error(f"{message} <src>, <ref> or <hyp> around it", tag.start)
        here = self.kind, self.system, self.document
        self._counts[here] += 1
        version = self._version()
        own = _first(tag.attributes, ("id",)) or str(self._counts[here])
        name = SegmentName(self.document, own)
        if name in version:
            what = f" of {self.system!r}" if self.system else ""
            raise self.markup.error(f"the segment {name}{what} is there twice", tag.start)
        version[name] = Segment(text, self.markup.line(tag.start))
        return end

    def _version(self) -> Version:
        if self.kind == "src":
            return self.made.source
        versions = self.made.references if self.kind == "ref" else self.made.outputs
        return versions.setdefault(self.system, {})


def _first(attributes: dict[str, str], names: tuple[str, ...]) -> str:
    return next((attributes[name].strip() for name in names if attributes.get(name)), "")
