"""The content of an evaluation set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from tunesmith.errors import InputError
from tunesmith.texts import Texts

__all__ = ["EvaluationSet", "Segment", "SegmentName", "Version"]


class SegmentName(NamedTuple):
    """Which segment: its document and its id there."""

    document: str
    id: str

    def __str__(self) -> str:
        return f"{self.id!r} of document {self.document!r}"


class Segment(NamedTuple):
    """The text of a segment, and the line where it starts."""

    text: str
    line: int


Version: TypeAlias = dict[SegmentName, Segment]
"""One version of the text, in the order of the file: the source, a reference, or a system's translation."""


@dataclass(frozen=True)
class EvaluationSet:
    """The versions of a set; references and outputs have the names of their translators and systems.

    `attributes` are those of the set (`setid`, `srclang`, `trglang`), `documents` those of each document.
    """

    path: object
    attributes: dict[str, str] = field(default_factory=dict)
    documents: dict[str, dict[str, str]] = field(default_factory=dict)
    source: Version = field(default_factory=dict)
    references: dict[str, Version] = field(default_factory=dict)
    outputs: dict[str, Version] = field(default_factory=dict)

    @property
    def names(self) -> list[SegmentName]:
        """The segments: those of the source, or of the first reference or output."""
        versions = [self.source, *self.references.values(), *self.outputs.values()]
        return next((list(version) for version in versions if version), [])

    def texts(self, version: Mapping[SegmentName, Segment], what: str) -> Texts:
        """Return the texts of a version in the order of `names`; other segments are an InputError."""
        names = self.names
        for name in names:
            if name not in version:
                raise InputError(f"{what} lacks the segment {name}", path=self.path)
        if len(version) > len(names):
            known = set(names)
            extra = next(name for name in version if name not in known)
            line = version[extra].line
            raise InputError(f"{what} has a segment {extra} that others lack", path=self.path, line=line)
        return Texts.of(version[name].text for name in names)
