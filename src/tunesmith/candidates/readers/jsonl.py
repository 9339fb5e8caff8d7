"""Candidate lists as JSON, one sentence per line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tunesmith import _native
from tunesmith.candidates.pool import Pool
from tunesmith.candidates.readers.base import READERS, Reader, Source, assemble, feed

__all__ = ["Jsonl"]


@READERS.register("jsonl")
@dataclass(frozen=True)
class Jsonl(Reader):
    """`{"id": 0, "references": [...], "hypotheses": [{"text": "...", "features": {"lm": -3.1}}]}`

    Ids are strings or whole numbers. `source` and `references` of a sentence, `text`, `scores` and
    `total` of a hypothesis are optional, but all or none must have them. Unknown and repeated keys are
    errors.
    """

    name: ClassVar[str] = "jsonl"
    summary: ClassVar[str] = "JSON lines, one sentence per line"
    suffixes: ClassVar[tuple[str, ...]] = (".jsonl",)

    @classmethod
    def recognizes(cls, head: bytes) -> bool:
        return head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")

    def parse(self, source: Source) -> Pool:
        parser = _native.JsonlParser()
        feed(parser, source.chunks())
        return assemble(parser.finish())
