"""Hypergraphs of Moses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from tunesmith import _native
from tunesmith.candidates.readers import Source
from tunesmith.forest.forest import Forest
from tunesmith.forest.readers.base import READERS, Reader, sentence_of

__all__ = ["MosesHypergraph"]


@READERS.register("moses-hypergraph")
@dataclass(frozen=True)
class MosesHypergraph(Reader):
    """One sentence per file: counts, nodes with their edges, `words and [node] ||| name=v ||| covered`.

    Moses writes `<s>` and `</s>` as words of the derivation; they are dropped unless `keep_boundaries`.
    """

    keep_boundaries: bool = False

    name: ClassVar[str] = "moses-hypergraph"
    summary: ClassVar[str] = "hypergraphs of Moses, one sentence per file"

    @classmethod
    def recognizes(cls, head: bytes) -> bool:
        return head.removeprefix(b"\xef\xbb\xbf").startswith(b"# target |||")

    def read(self, source: Source) -> Iterator[tuple[str, Forest]]:
        parser = _native.HypergraphParser(self.keep_boundaries)
        for chunk in source.chunks():
            parser.feed(chunk)
        yield sentence_of(source.path), Forest(parser.finish())
