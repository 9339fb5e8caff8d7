"""The scores of edges that algorithms take beside a forest."""

from __future__ import annotations

import numpy as np

from tunesmith.errors import InputError
from tunesmith.forest.forest import Forest
from tunesmith.types import FloatArray

__all__ = ["finite_scores"]


def finite_scores(forest: Forest, scores: FloatArray | None) -> FloatArray:
    """Return a finite score of each edge, zeros if none were given; anything else is an InputError."""
    if scores is None:
        return np.zeros(forest.edge_count)
    array = np.ascontiguousarray(scores, dtype=np.float64)
    if array.shape != (forest.edge_count,):
        raise InputError(f"scores of shape {array.shape} for {forest.edge_count} edges of a forest")
    if not np.isfinite(array).all():
        raise InputError(f"the score of edge {int(np.argmin(np.isfinite(array)))} is not finite")
    return array
