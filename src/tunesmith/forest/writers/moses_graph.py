"""Search graphs as Moses writes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tunesmith import _native
from tunesmith.forest.forest import Forest
from tunesmith.forest.writers.base import WRITERS, TextWriter

__all__ = ["MosesGraph"]

_TRANSITION = {"transition": 1.0}


@WRITERS.register("moses-graph")
@dataclass(frozen=True)
class MosesGraph(TextWriter):
    """One hypothesis per line; only phrase lattices can be written.

    With `weights`, transitions are the scores of edges, and the best hypothesis of a node comes first;
    features without a weight have the weight `missing`, or are an InputError. A
    forest whose only feature is `transition` is written in the plain form; others in the extended one, with
    `scores="name=v ..."`, where transitions are 0 without weights.
    """

    weights: Mapping[str, float] | None = None
    missing: float | None = None

    name: ClassVar[str] = "moses-graph"
    summary: ClassVar[str] = "search graphs of Moses; phrase lattices only"
    suffixes: ClassVar[tuple[str, ...]] = (".osg",)

    def text(self, sentence: str, forest: Forest) -> bytes:
        plain = self.weights is None and set(forest.feature_names) <= _TRANSITION.keys()
        weights = _TRANSITION if plain else self.weights
        scores = (
            np.zeros(forest.edge_count) if weights is None else forest.scores(weights, missing=self.missing)
        )
        return _native.format_search_graph(forest.native, sentence, scores, not plain)
