"""Incremental union of pools, such as the n-best lists of successive decoder iterations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tunesmith import _native
from tunesmith.candidates.layers import Layer, LayeredFeatures
from tunesmith.candidates.pool import Pool
from tunesmith.errors import InputError
from tunesmith.immutable import seal
from tunesmith.texts import Texts
from tunesmith.threads import thread_count
from tunesmith.types import FloatArray, IntArray, Stats

__all__ = ["Union"]

_NO_TEXTS = Texts.of([])


@dataclass(frozen=True, eq=False)
class _Part:
    """A pool added to the union: its features, and the new rows with their other data."""

    layer: Layer
    rows: IntArray
    lists: IntArray
    texts: Texts | None
    scores: Mapping[str, FloatArray]
    totals: FloatArray | None
    stats: Mapping[str, Stats]


class Union:
    """The lists of all pools by id, with candidates in the order of the pools.

    Candidates of a list are duplicates if their texts and feature vectors are equal (an absent feature is
    zero) and, without texts, their scores too. The first is kept. Features are matched by name. Pools must
    agree on which of texts, scores and references they have, and on the references and sources of shared
    lists. Totals, which depend on the weights of their iteration, are kept if all pools have them.

    The features of a pool, possibly a mapped file, are not copied if their columns are those of the union, as
    in the result of `news`.
    """

    def __init__(self, threads: int | None = None) -> None:
        self._threads = thread_count(threads)
        self._ids: dict[str, int] = {}
        self._names: dict[str, int] = {}
        self._parts: list[_Part] = []
        self._first: Pool | None = None
        self._agreed: list[dict[str, str]] = []
        """References, then sources: the texts of lists, by id."""
        self._known = _native.PoolUnion()

    def __len__(self) -> int:
        """Return the number of lists."""
        return len(self._ids)

    def news(self, pool: Pool) -> Pool:
        """Return the new candidates of a pool, with the columns of the union after adding it.

        Known candidates are skipped, as are lists without new ones. If nothing is new, the whole pool is
        returned.
        """
        self._check_candidates(pool)
        names = tuple(dict.fromkeys([*self._names, *pool.feature_names]))
        pool = replace(pool, features=pool.features.renumbered(names))
        lists, _ = _places(self._ids, pool.ids)
        layer = Layer(pool.features.arrays, len(names))
        rows = self._known.find_new(_part(pool, layer, lists), self._threads)
        return pool.take_rows(rows, drop=True) if 0 < len(rows) < pool.n_candidates else pool

    def add(self, pool: Pool) -> int:
        """Add a pool; return how many of its candidates are new. O(entries of the pool)."""
        self._check_candidates(pool)
        self._check_lists(pool)
        agreed = self._check_agreement(pool)
        lists, new_ids = _places(self._ids, pool.ids)
        places, new_names = _places(self._names, pool.feature_names)
        layer = self._layer(pool, places.astype(np.int32), len(new_names))
        rows = self._known.add(_part(pool, layer, lists), self._threads)
        self._ids.update(new_ids)
        self._names.update(new_names)
        self._first = self._first or pool
        self._agreed = self._agreed or [{} for _ in agreed]
        for known, own in zip(self._agreed, agreed, strict=True):
            known.update(own)
        self._parts.append(
            _Part(
                layer,
                rows,
                np.repeat(lists, np.diff(pool.offsets))[rows],
                None if pool.texts is None else pool.texts.take(rows),
                {name: column[rows] for name, column in pool.scores.items()},
                None if pool.totals is None else pool.totals[rows],
                {name: stats[rows] for name, stats in pool._stats.items()},
            )
        )
        self.__dict__.pop("pool", None)
        return len(rows)

    @cached_property
    def pool(self) -> Pool:
        """All candidates so far. O(candidates); features are not copied."""
        parts = self._parts
        if self._first is None:
            raise InputError("no pools to merge; expected at least one")
        lists = np.concatenate([part.lists for part in parts])
        order = np.argsort(lists, kind="stable")
        offsets = np.zeros(len(self._ids) + 1, dtype=np.int64)
        np.cumsum(np.bincount(lists, minlength=len(self._ids)), out=offsets[1:])
        starts = np.cumsum([0, *(len(part.layer) for part in parts)])
        rows = np.concatenate([part.rows + start for part, start in zip(parts, starts[:-1], strict=True)])
        agreed = [Texts.of([texts[name] for name in self._ids]) for texts in self._agreed]
        references = len(self._first.references)
        return Pool(
            tuple(self._ids),
            seal(offsets),
            LayeredFeatures(tuple(self._names), tuple(part.layer for part in parts), seal(rows[order])),
            _texts(parts, order),
            tuple(agreed[:references]),
            {name: np.concatenate([part.scores[name] for part in parts])[order] for name in parts[0].scores},
            agreed[references] if len(agreed) > references else None,
            _totals(parts, order),
            _stats(parts, order),
        )

    def _layer(self, pool: Pool, places: npt.NDArray[np.int32], new_names: int) -> Layer:
        """Return the features with the columns of the union."""
        features = pool.features
        if np.array_equal(places, np.arange(features.width)):
            return Layer(features.arrays, features.width)
        offsets, columns, values = _native.renumber(features.arrays, places, 0)
        return Layer((seal(offsets), seal(columns), seal(values)), len(self._names) + new_names)

    def _check_candidates(self, pool: Pool) -> None:
        """Raise InputError if candidates cannot be compared as in the first pool."""
        place, first = len(self._parts), self._first or pool
        if len(set(pool.ids)) != len(pool):
            raise InputError(f"pool {place} to merge has two lists with the same id")
        if (pool.texts is None) != (first.texts is None):
            raise InputError(f"pools 0 and {place} cannot be merged: only one of them has texts")
        if set(pool.scores) != set(first.scores):
            raise InputError(
                f"pools 0 and {place} cannot be merged: they have the scores {sorted(first.scores)}"
                f" and {sorted(pool.scores)}"
            )

    def _check_lists(self, pool: Pool) -> None:
        """Raise InputError if lists do not have the same data as those of the first pool."""
        place, first = len(self._parts), self._first or pool
        if len(pool.references) != len(first.references):
            raise InputError(
                f"pools 0 and {place} cannot be merged: they have {len(first.references)}"
                f" and {len(pool.references)} references"
            )
        if (pool.sources is None) != (first.sources is None):
            raise InputError(f"pools 0 and {place} cannot be merged: only one of them has sources")

    def _check_agreement(self, pool: Pool) -> list[dict[str, str]]:
        """Return the pool's references and sources by id; InputError if they differ from known ones."""
        columns = [("reference", reference) for reference in pool.references]
        if pool.sources is not None:
            columns.append(("source", pool.sources))
        texts_of = [dict(zip(pool.ids, column, strict=True)) for _, column in columns]
        for (what, _), own, known in zip(columns, texts_of, self._agreed, strict=False):
            for name, text in own.items():
                if known.get(name, text) != text:
                    raise InputError(
                        f"the pools to merge disagree on a {what} of sentence {name!r}:"
                        f" {known[name]!r} and {text!r}"
                    )
        return texts_of


def _part(pool: Pool, layer: Layer, lists: IntArray) -> _native.PoolPart:
    """Return a pool as native code takes it; `lists` are those of the union."""
    texts = _NO_TEXTS if pool.texts is None else pool.texts
    scores = [] if pool.texts is not None else [pool.scores[name] for name in sorted(pool.scores)]
    return _native.PoolPart(
        pool.offsets,
        *layer.arrays,
        layer.width,
        texts.blob,
        texts.offsets,
        np.stack(scores, axis=1) if scores else np.zeros((0, 0)),
        lists,
    )


def _places(known: Mapping[str, int], names: Iterable[str]) -> tuple[IntArray, dict[str, int]]:
    """Return the numbers of names, and the new names: these are numbered after all known ones."""
    new: dict[str, int] = {}
    numbers = [
        known[name] if name in known else new.setdefault(name, len(known) + len(new)) for name in names
    ]
    return np.array(numbers, dtype=np.int64), new


def _texts(parts: Sequence[_Part], order: IntArray) -> Texts | None:
    columns = [part.texts for part in parts if part.texts is not None]
    return Texts.joined(columns).take(order) if columns else None


def _totals(parts: Sequence[_Part], order: IntArray) -> FloatArray | None:
    columns = [part.totals for part in parts if part.totals is not None]
    return np.concatenate(columns)[order] if len(columns) == len(parts) else None


def _stats(parts: Sequence[_Part], order: IntArray) -> dict[str, Stats]:
    """Return the statistics that all pools have computed."""
    known = set.intersection(*(set(part.stats) for part in parts))
    return {name: np.concatenate([part.stats[name] for part in parts])[order] for name in sorted(known)}
