"""Hypergraphs as Moses writes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tunesmith import _native
from tunesmith.forest.forest import Forest
from tunesmith.forest.writers.base import WRITERS, TextWriter

__all__ = ["MosesHypergraph"]


@WRITERS.register("moses-hypergraph")
@dataclass(frozen=True)
class MosesHypergraph(TextWriter):
    """Nodes bottom-up with their edges, `words and [node] ||| name=v ||| covered`; the root is last.

    Readers take the words `<s>` and `</s>` for borders of the sentence, and leave them out: they are written
    as `&lt;s&gt;` and `&lt;/s&gt;`, or with `keep_boundaries` as they are, for forests that were read so.
    """

    keep_boundaries: bool = False

    name: ClassVar[str] = "moses-hypergraph"
    summary: ClassVar[str] = "hypergraphs of Moses, a sentence a file"
    suffixes: ClassVar[tuple[str, ...]] = (".hypergraph",)
    single: ClassVar[bool] = True
    unnamed: ClassVar[bool] = True

    def text(self, sentence: str, forest: Forest) -> bytes:
        return _native.format_hypergraph(forest.native, self.keep_boundaries)
