"""N-best lists from forests, written while forests are read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from tunesmith.candidates.columns import with_columns
from tunesmith.candidates.writers.stream import PoolStream, chosen_writer
from tunesmith.errors import InputError
from tunesmith.files import PathLike, open_write
from tunesmith.forest.forest import Forest
from tunesmith.forest.kbest import kbest_pool

__all__ = ["NbestCounts", "portion", "write_nbest"]

BATCH = 64
"""Maximum number of forests in memory."""
CANDIDATES = 100_000
"""Approximate maximum number of candidates in memory."""
DENSE = 256
"""With more features than this, zeros are not written."""


def portion(k: int) -> int:
    """Return the number of forests per batch, for k candidates per forest."""
    return max(1, min(BATCH, CANDIDATES // max(1, k)))


class NbestCounts(NamedTuple):
    """The numbers of lists and candidates written."""

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
    missing: float | None = None,
    allow_missing: bool = False,
    threads: int | None = None,
) -> NbestCounts:
    """Write the k best derivations of forests, given with the ids of their sentences: see `kbest_pool`.

    The default format follows from the name, or else is Moses'. Forests are read and lists written in
    batches, except for Parquet, which needs all of them. Each candidate has the features of the first forest
    (in a file, those of all) in their order, zeros included, so that weights tuned on the lists have all
    names; zeros are not written if there are more than `DENSE` features.
    """
    writer = chosen_writer(path, format)
    size = portion(k) if writer.appends else None
    names: tuple[str, ...] | None = None
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
                raise InputError(f"sentence {twice!r} occurs twice; expected one forest per sentence")
            seen.update(ids)
            pool = kbest_pool(
                [forest for _, forest in kept],
                weights,
                k,
                unique=unique,
                ids=ids,
                missing=missing,
                threads=threads,
            )
            if names is None:
                first = kept[0][1].feature_names
                names = first if len(first) <= DENSE else ()
            lists.write(replace(pool, features=with_columns(pool.features, names)) if names else pool)
            candidates += pool.n_candidates
        if not seen:
            raise InputError("no forest has a derivation; expected at least one list of candidates")
    return NbestCounts(len(seen), candidates)
