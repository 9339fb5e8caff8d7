"""The union of pools: what several iterations of a decoder have found, each candidate once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from tunesmith import _native
from tunesmith.candidates.features import Features
from tunesmith.candidates.pool import Pool
from tunesmith.errors import InputError
from tunesmith.immutable import seal
from tunesmith.texts import Texts
from tunesmith.threads import thread_count
from tunesmith.types import FloatArray, IntArray, Stats

__all__ = ["merge"]

_NO_TEXTS = Texts.of([])


def merge(pools: Iterable[Pool], threads: int | None = None) -> Pool:
    """Return the union of the pools' lists by id, the candidates in the order of the pools.

    Two candidates of a list are one if their texts are equal and their feature vectors are (an
    absent feature is zero); without texts, their scores must be equal too. The first one stays.
    Features are united by name. Pools must agree on what they have: texts, scores, references,
    and on the references and sources of lists that they share. Totals, which depend on the weights of
    their iteration, stay if all pools have them. O(entries) time.
    """
    parts = list(pools)
    if not parts:
        raise InputError("no pools to merge; expected at least one")
    _check_alike(parts)
    ids = _union(pool.ids for pool in parts)
    names = _union(pool.feature_names for pool in parts)
    merged = _native.merge_pools([_part(pool, ids, names) for pool in parts], len(ids), thread_count(threads))
    rows = merged.rows
    return Pool(
        tuple(ids),
        seal(merged.lists),
        Features(tuple(names), seal(merged.offsets), seal(merged.columns), merged.values),
        None if parts[0].texts is None else Texts(*merged.texts),
        tuple(
            _agreed(parts, ids, [pool.references[i] for pool in parts], "reference")
            for i in range(len(parts[0].references))
        ),
        {name: np.concatenate([pool.scores[name] for pool in parts])[rows] for name in parts[0].scores},
        None
        if parts[0].sources is None
        else _agreed(parts, ids, [pool.sources for pool in parts if pool.sources is not None], "source"),
        _totals(parts, rows),
        _stats(parts, rows),
    )


def _union(groups: Iterable[Sequence[str]]) -> dict[str, int]:
    """Number the names in the order in which they come."""
    numbers: dict[str, int] = {}
    for group in groups:
        for name in group:
            numbers.setdefault(name, len(numbers))
    return numbers


def _check_alike(pools: Sequence[Pool]) -> None:
    first = pools[0]
    for place, pool in enumerate(pools):
        if len(set(pool.ids)) != len(pool):
            raise InputError(f"pool {place} to merge has two lists with one id")
        if (pool.texts is None) != (first.texts is None):
            raise InputError(f"pools 0 and {place} cannot be merged: only one of them has texts")
        if len(pool.references) != len(first.references):
            raise InputError(
                f"pools 0 and {place} cannot be merged: they have {len(first.references)}"
                f" and {len(pool.references)} references"
            )
        if (pool.sources is None) != (first.sources is None):
            raise InputError(f"pools 0 and {place} cannot be merged: only one of them has sources")
        if set(pool.scores) != set(first.scores):
            raise InputError(
                f"pools 0 and {place} cannot be merged: they have the scores {sorted(first.scores)}"
                f" and {sorted(pool.scores)}"
            )


def _part(pool: Pool, ids: dict[str, int], names: dict[str, int]) -> _native.PoolPart:
    texts = _NO_TEXTS if pool.texts is None else pool.texts
    scores = [] if pool.texts is not None else [pool.scores[name] for name in sorted(pool.scores)]
    return _native.PoolPart(
        pool.offsets,
        pool.features.offsets,
        pool.features.columns,
        pool.features.values,
        texts.blob,
        texts.offsets,
        np.stack(scores, axis=1) if scores else np.zeros((0, 0)),
        np.array([ids[name] for name in pool.ids], dtype=np.int64),
        np.array([names[name] for name in pool.feature_names], dtype=np.int32),
    )


def _agreed(pools: Sequence[Pool], ids: dict[str, int], columns: Sequence[Texts], what: str) -> Texts:
    """Return the text of each list, on which all pools that have the list must agree."""
    united: dict[str, str] = {}
    for pool, column in zip(pools, columns, strict=True):
        for name, text in zip(pool.ids, column, strict=True):
            if united.setdefault(name, text) != text:
                raise InputError(
                    f"the pools to merge disagree on a {what} of sentence {name!r}:"
                    f" {united[name]!r} and {text!r}"
                )
    return Texts.of([united[name] for name in ids])


def _totals(pools: Sequence[Pool], rows: IntArray) -> FloatArray | None:
    columns = [pool.totals for pool in pools if pool.totals is not None]
    return np.concatenate(columns)[rows] if len(columns) == len(pools) else None


def _stats(pools: Sequence[Pool], rows: IntArray) -> dict[str, Stats]:
    """Return the statistics that all pools know already."""
    known = set.intersection(*(set(pool._stats) for pool in pools))
    return {name: np.concatenate([pool._stats[name] for pool in pools])[rows] for name in sorted(known)}
