"""Several pools as one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tunesmith.candidates.pool import Pool
from tunesmith.candidates.union import Union

__all__ = ["merge"]


def merge(pools: Iterable[Pool], threads: int | None = None) -> Pool:
    """Return the union of the pools' lists, each candidate once; see `Union`. O(entries) time."""
    union = Union(threads)
    for pool in pools:
        union.add(pool)
    return replace(union.pool, features=union.pool.features.flat)
