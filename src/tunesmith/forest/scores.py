"""The scores of a forest's edges, given as such or as weights.

Mappings are weights, by feature name, wherever they are given. Arrays are what the function works on:

- `forest.scores(array)` makes scores, so it takes *weights*, one a feature, as `forest.weights` returns them;
- all functions of a forest and its scores, such as `viterbi(forest, array)`, take *scores*, one an edge, as
  `forest.scores` returns them.

An array of the wrong length is an InputError that tells which of the two it may be. Where a forest has as
many features as edges nothing can tell them apart: mappings are safe.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np

from tunesmith.errors import InputError
from tunesmith.forest.forest import Forest
from tunesmith.types import FloatArray

__all__ = ["Scores", "edge_scores", "model_scores"]

Scores: TypeAlias = FloatArray | Mapping[str, float]
"""A score for each edge (minus infinity forbids it), or weights by feature name, never an array of them."""


def edge_scores(forest: Forest, scores: Scores) -> FloatArray:
    """Return a score for each edge as native code takes them; another number of them is an InputError."""
    if isinstance(scores, Mapping):
        return forest.scores(scores)
    array = np.ascontiguousarray(scores, dtype=np.float64)
    if array.shape != (forest.edge_count,):
        weights = array.shape == (len(forest.feature_names),)
        hint = "; if these are weights of features, give forest.scores(weights)" if weights else ""
        raise InputError(f"scores of shape {array.shape} for {forest.edge_count} edges of a forest{hint}")
    return array


def model_scores(forest: Forest, scores: Scores | None) -> FloatArray:
    """Return the scores of a model that may be absent: then all edges have 0."""
    return np.zeros(forest.edge_count) if scores is None else edge_scores(forest, scores)
