"""Candidate lists as JSON, one sentence per line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from tunesmith import _native
from tunesmith.candidates.missing import with_remedy
from tunesmith.candidates.pool import Pool
from tunesmith.candidates.readers.base import READERS, Reader, Source, assemble, feed
from tunesmith.candidates.readers.extra_keys import without_extra_keys
from tunesmith.errors import InputError
from tunesmith.options import check_options

__all__ = ["Jsonl"]


@READERS.register("jsonl")
@dataclass(frozen=True)
class Jsonl(Reader):
    """`{"id": 0, "references": [...], "hypotheses": [{"text": "...", "features": {"lm": -3.1}}]}`

    Ids are strings or whole numbers. `source` and `references` of a sentence, `text`, `scores` and
    `total` of a hypothesis are optional, but all or none must have them. Repeated keys are errors, and so are
    unknown ones unless `extra_keys` is "drop", or "keep", which reads numbers of hypotheses as features; what
    is dropped is reported by an IgnoredInputWarning.
    """

    name: ClassVar[str] = "jsonl"
    summary: ClassVar[str] = "JSON lines, one sentence per line"
    suffixes: ClassVar[tuple[str, ...]] = (".jsonl",)

    extra_keys: Literal["error", "keep", "drop"] = "error"

    def __post_init__(self) -> None:
        check_options(self, "format 'jsonl'")

    @classmethod
    def recognizes(cls, head: bytes) -> bool:
        return head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")

    def parse(self, source: Source) -> Pool:
        parser = _native.JsonlParser(source.missing not in (None, "error"))
        chunks = source.chunks()
        if self.extra_keys != "error":
            chunks = without_extra_keys(chunks, keep=self.extra_keys == "keep")
        try:
            feed(parser, chunks)
            arrays = parser.finish()
        except InputError as error:
            raise with_remedy(error) from None
        return assemble(arrays, source.missing)
