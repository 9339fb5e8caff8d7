"""The number of derivations of a forest."""

from __future__ import annotations

from tunesmith import _native
from tunesmith.forest.forest import Forest

__all__ = ["count_derivations", "log_count_derivations"]


def count_derivations(forest: Forest) -> float:
    """Return the number of derivations of the root: exact up to 2^53, infinity beyond 1.8e308. O(edges)."""
    return _native.count_derivations(forest.native)


def log_count_derivations(forest: Forest) -> float:
    """Return the log of the number of derivations, which never overflows; -inf for an empty forest."""
    return _native.log_count_derivations(forest.native)
