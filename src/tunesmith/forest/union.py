"""The union of forests."""

from __future__ import annotations

from collections.abc import Iterable

from tunesmith import _native
from tunesmith.forest.forest import Forest

__all__ = ["union"]


def union(forests: Iterable[Forest]) -> Forest:
    """Return a forest with the derivations of all: a new root has an edge of no words to each old root.

    Words and features are merged by name. The edges of the forests come in their order, those of the root
    last. Empty forests add nothing. O(size).
    """
    return Forest(_native.unite_forests([forest.native for forest in forests]))
