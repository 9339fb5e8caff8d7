"""Candidate lists out of forests, written while forests are read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import NamedTuple

from tunesmith.candidates.writers.stream import PoolStream, chosen_writer
from tunesmith.errors import InputError
from tunesmith.files import PathLike, open_write
from tunesmith.forest.forest import Forest
from tunesmith.forest.kbest import kbest_pool

__all__ = ["NbestCounts", "write_nbest"]

BATCH = 64
"""How many forests are in memory at once."""


class NbestCounts(NamedTuple):
    """What was written."""

    lists: int
    candidates: int


def write_nbest(
    path: PathLike,
    forests: Iterable[tuple[str, Forest]],
    weights: Mapping[str, float],
    k: int,
    *,
    format: str | None = None,  # noqa: A002 - as in candidates
    unique: bool = False,
    allow_missing: bool = False,
    threads: int | None = None,
) -> NbestCounts:
    """Write the k best derivations of forests, given with the ids of their sentences: see `kbest_pool`.

    The name tells the format if none is given, and is else Moses'. Forests are taken and lists are written
    a batch at a time, except for Parquet, whose columns need all of them.
    """
    writer = chosen_writer(path, format)
    size = BATCH if writer.appends else None
    seen: set[str] = set()
    candidates = 0
    rest = iter(forests)
    with open_write(path) as stream:
        lists = PoolStream(stream, writer)
        while batch := list(islice(rest, size)):
            kept = [(name, forest) for name, forest in batch if forest.node_count or not allow_missing]
            if not kept:
                continue
            ids = [name for name, _ in kept]
            if not seen.isdisjoint(ids):
                twice = next(name for name in ids if name in seen)
                raise InputError(f"sentence {twice!r} is there twice")
            seen.update(ids)
            pool = kbest_pool(
                [forest for _, forest in kept], weights, k, unique=unique, ids=ids, threads=threads
            )
            lists.write(pool)
            candidates += pool.n_candidates
        if not seen:
            raise InputError("no forest has a derivation; expected at least one list of candidates")
    return NbestCounts(len(seen), candidates)
