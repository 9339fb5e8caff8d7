"""Incremental union of pools, such as the n-best lists of successive decoder iterations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith import _native
from tunesmith.candidates.layered_texts import LayeredTexts
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
    stats: Mapping[str, npt.NDArray[np.floating[Any]]]
    """By signature; 32-bit numbers if these are exact."""


class Union:
    """The lists of all pools by id, with candidates in the order of the pools.

    Candidates of a list are duplicates if their texts and feature vectors are equal (an absent feature is
    zero) and, without texts, their scores too. The first is kept, or all with `keep_duplicates`. Features are
    matched by name. Pools must agree on which of texts, scores and references they have, and on the
    references and sources of shared lists. Totals, which depend on the weights of their iteration, are kept
    if all pools have them.

    The features of a pool, possibly a mapped file, are not copied if their columns are those of the union, as
    in the result of `news`; nor are its texts if all of its candidates are new.
    """

    def __init__(self, threads: int | None = None, *, keep_duplicates: bool = False) -> None:
        self._threads = thread_count(threads)
        self._keeps = keep_duplicates
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
        return self.news_of_parts([pool])[0]

    def news_of_parts(self, parts: Iterable[Pool]) -> list[Pool]:
        """Return the new candidates of a pool that comes in parts, each with lists of its own; see `news`.

        All have the columns of the union after adding them. Only new candidates stay in memory, and parts
        without any are left out; if nothing is new, the first part is returned. No parts are an InputError.
        """
        first: Pool | None = None
        found: list[Pool] = []
        names = dict.fromkeys(self._names)
        for pool in parts:
            self._check_candidates(pool)
            names.update(dict.fromkeys(pool.feature_names))
            part = replace(pool, features=pool.features.renumbered(tuple(names)))
            first = first or part
            lists, _ = _places(self._ids, part.ids)
            layer = Layer(part.features.arrays, len(names))
            rows = self._known.find_new(_part(part, layer, lists), self._threads)
            if len(rows):
                found.append(part if len(rows) == part.n_candidates else part.take_rows(rows, drop=True))
            self.release()
        if first is None:
            raise InputError("no pools to merge; expected at least one")
        found, columns = found or [first], tuple(names)
        for number, part in enumerate(found):  # in place: only one part is in memory twice
            found[number] = replace(part, features=part.features.renumbered(columns))
        return found

    def release(self) -> None:
        """Let the system have the pages of mapped pools, until they are read again."""
        for part in self._parts:
            part.layer.release()

    def drop_pool(self) -> None:
        """Forget the pool that was made of all candidates, and the arrays that learners made for it."""
        self.__dict__.pop("pool", None)

    def add(self, pool: Pool) -> int:
        """Add a pool; return how many of its candidates are new, no duplicates. O(entries of the pool)."""
        self._check_candidates(pool)
        self._check_lists(pool)
        agreed = self._check_agreement(pool)
        lists, new_ids = _places(self._ids, pool.ids)
        places, new_names = _places(self._names, pool.feature_names)
        layer = self._layer(pool, places.astype(np.int32), len(new_names))
        rows = self._known.add(_part(pool, layer, lists), self._threads)
        new = len(rows)
        if self._keeps:
            rows = np.arange(pool.n_candidates, dtype=np.int64)
        self._ids.update(new_ids)
        self._names.update(new_names)
        self._first = self._first or pool
        self._agreed = self._agreed or [{} for _ in agreed]
        for known, own in zip(self._agreed, agreed, strict=True):
            known.update(own)
        is_whole = len(rows) == pool.n_candidates
        self._parts.append(
            _Part(
                layer,
                rows,
                np.repeat(lists, np.diff(pool.offsets))[rows],
                pool.texts if is_whole or pool.texts is None else pool.texts.take(rows),
                {name: column[rows] for name, column in pool.scores.items()},
                None if pool.totals is None else pool.totals[rows],
                {name: narrowed(stats[rows]) for name, stats in pool._stats.items()},
            )
        )
        self.drop_pool()
        return new

    @cached_property
    def pool(self) -> Pool:
        """All candidates so far. O(candidates); features and texts are not copied."""
        parts = self._parts
        if self._first is None:
            raise InputError("no pools to merge; expected at least one")
        lists = np.concatenate([part.lists for part in parts])
        order = np.argsort(lists, kind="stable")
        offsets = np.zeros(len(self._ids) + 1, dtype=np.int64)
        np.cumsum(np.bincount(lists, minlength=len(self._ids)), out=offsets[1:])
        agreed = [Texts.of([texts[name] for name in self._ids]) for texts in self._agreed]
        references = len(self._first.references)
        return Pool(
            tuple(self._ids),
            seal(offsets),
            LayeredFeatures(tuple(self._names), tuple(part.layer for part in parts), seal(self.origins)),
            _texts(parts, order),
            tuple(agreed[:references]),
            {name: np.concatenate([part.scores[name] for part in parts])[order] for name in parts[0].scores},
            agreed[references] if len(agreed) > references else None,
            _totals(parts, order),
            _stats(parts, order),
        )

    @property
    def origins(self) -> IntArray:
        """The row of each candidate of `pool` in the pools that were added, one after another."""
        lists = np.concatenate([part.lists for part in self._parts])
        starts = np.cumsum([0, *(len(part.layer) for part in self._parts)])
        rows = [part.rows + start for part, start in zip(self._parts, starts[:-1], strict=True)]
        origins: IntArray = np.concatenate(rows)[np.argsort(lists, kind="stable")]
        return origins

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


def narrowed(stats: Stats) -> npt.NDArray[np.floating[Any]]:
    """Return statistics as 32-bit numbers if these are equal, as counts are; otherwise unchanged."""
    if not np.all(np.abs(stats) <= np.finfo(np.float32).max):
        return stats
    narrow = stats.astype(np.float32)
    return narrow if np.array_equal(narrow, stats) else stats


def _texts(parts: Sequence[_Part], order: IntArray) -> Texts | None:
    columns = [part.texts for part in parts if part.texts is not None]
    return LayeredTexts(columns, seal(order)) if columns else None


def _totals(parts: Sequence[_Part], order: IntArray) -> FloatArray | None:
    columns = [part.totals for part in parts if part.totals is not None]
    return np.concatenate(columns)[order] if len(columns) == len(parts) else None


def _stats(parts: Sequence[_Part], order: IntArray) -> dict[str, Stats]:
    """Return the statistics that all pools have computed."""
    known = set.intersection(*(set(part.stats) for part in parts))
    return {name: _ordered([part.stats[name] for part in parts], order) for name in sorted(known)}


def _ordered(columns: Sequence[npt.NDArray[np.floating[Any]]], order: IntArray) -> Stats:
    """Return the rows of concatenated matrices in an order, as 64-bit numbers, without concatenating them."""
    places = np.empty(len(order), dtype=np.int64)
    places[order] = np.arange(len(order))
    found = np.empty((len(order), columns[0].shape[1]))
    begin = 0
    for column in columns:
        found[places[begin : begin + len(column)]] = column
        begin += len(column)
    return seal(found)
