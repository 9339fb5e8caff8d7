"""The scores of a forest's edges, given as scores or as weights.

Mappings are always weights by feature name. The meaning of arrays depends on the function:

- `forest.scores(array)` takes *weights*, one per feature, as returned by `forest.weights`;
- all functions of a forest and its scores, such as `viterbi(forest, array)`, take *scores*, one per edge, as
  returned by `forest.scores`.

An array of the wrong length is an InputError that says if it has the length of the other. If a forest has as
many features as edges they cannot be distinguished: use mappings.
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
"""One score per edge (-inf forbids it), or weights by feature name, never an array of weights."""


def edge_scores(forest: Forest, scores: Scores, *, missing: float | None = None) -> FloatArray:
    """Return one score per edge, for native code; an array of another length is an InputError.

    Given weights by name, a feature without one has the weight `missing`, or is an InputError.
    """
    if isinstance(scores, Mapping):
        return forest.scores(scores, missing=missing)
    array = np.ascontiguousarray(scores, dtype=np.float64)
    if array.shape != (forest.edge_count,):
        weights = array.shape == (len(forest.feature_names),)
        hint = "; if these are weights of features, give forest.scores(weights)" if weights else ""
        raise InputError(f"scores of shape {array.shape} for {forest.edge_count} edges of a forest{hint}")
    return array


def model_scores(forest: Forest, scores: Scores | None) -> FloatArray:
    """Return the scores of edges; all 0 if None."""
    return np.zeros(forest.edge_count) if scores is None else edge_scores(forest, scores)
