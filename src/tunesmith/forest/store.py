"""Forests for repeated access: cached in memory up to a limit, else decompressed again."""

from __future__ import annotations

from tunesmith import _native
from tunesmith.forest.file import ForestFile
from tunesmith.forest.pool import ForestPool
from tunesmith.forest.threads import each_forest
from tunesmith.memory import parse_bytes

__all__ = ["MEMORY", "store_forests"]

MEMORY = "4G"
"""Default memory limit for forests, or data compiled from them, during training."""


def store_forests(
    pool: ForestPool, memory: int | str = MEMORY, threads: int | None = None
) -> _native.ForestStore:
    """Return the forests of a pool, all decompressed once.

    Forests of a file that exceed `memory` are dropped, and decompressed each time they are needed; a pool
    that is not a file has all forests in memory anyway.
    """
    file = pool.forests.native if isinstance(pool.forests, ForestFile) else None
    store = _native.ForestStore(len(pool.feature_names), parse_bytes(memory), file)
    for forest in each_forest(pool.forests.__getitem__, range(len(pool)), threads=threads):
        store.add(forest.native, pool.columns(forest))
    return store
