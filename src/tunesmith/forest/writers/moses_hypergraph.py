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

    Readers drop the words `<s>` and `</s>` as sentence markers, so they are written as `&lt;s&gt;` and
    `&lt;/s&gt;`, or with `keep_boundaries` unchanged, for forests that were read with it.
    """

    keep_boundaries: bool = False

    name: ClassVar[str] = "moses-hypergraph"
    summary: ClassVar[str] = "hypergraphs of Moses, one sentence per file"
    suffixes: ClassVar[tuple[str, ...]] = (".hypergraph",)
    single: ClassVar[bool] = True
    unnamed: ClassVar[bool] = True

    def text(self, sentence: str, forest: Forest) -> bytes:
        return _native.format_hypergraph(forest.native, self.keep_boundaries)
