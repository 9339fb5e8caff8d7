"""The scores of a forest's edges, given as such or as weights."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np

from tunesmith.errors import InputError
from tunesmith.forest.forest import Forest
from tunesmith.types import FloatArray

__all__ = ["Scores", "edge_scores"]

Scores: TypeAlias = FloatArray | Mapping[str, float]
"""A score for each edge (minus infinity forbids it), or weights by feature name."""


def edge_scores(forest: Forest, scores: Scores) -> FloatArray:
    """Return a score for each edge as native code takes them; another number of them is an InputError."""
    if isinstance(scores, Mapping):
        return forest.scores(scores)
    array = np.ascontiguousarray(scores, dtype=np.float64)
    if array.shape != (forest.edge_count,):
        raise InputError(f"scores of shape {array.shape} for {forest.edge_count} edges of a forest")
    return array
