"""The union of pools that come one after another, such as those of the iterations of a decoder."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from tunesmith import _native
from tunesmith.candidates.layers import LayeredFeatures
from tunesmith.candidates.pool import Pool
from tunesmith.errors import InputError
from tunesmith.texts import Texts
from tunesmith.threads import thread_count
from tunesmith.types import FloatArray, IntArray, Stats

__all__ = ["Union", "united"]

_NO_TEXTS = Texts.of([])


class Union:
    """The lists of pools by id, the candidates in the order of the pools.

    Two candidates of a list are one if their texts are equal and their feature vectors are (an absent
    feature is zero); without texts, their scores must be equal too. The first one stays. Features are united
    by name. Pools must agree on what they have: texts, scores, references, and on the references and sources
    of lists that they share. Totals, which depend on the weights of their iteration, stay if all pools have
    them.

    The features of the pools stay where they are, be it in a mapped file. A pool whose columns are not those
    of the union (`names`, then new ones) is held in memory instead.
    """

    def __init__(self, threads: int | None = None) -> None:
        self._threads = thread_count(threads)
        self._ids: dict[str, int] = {}
        self._names: tuple[str, ...] = ()
        self._parts: list[Pool] = []
        self._kept: list[IntArray] = []
        self._agreed: list[dict[str, str]] = []
        self._known = _native.PoolUnion()

    @property
    def names(self) -> tuple[str, ...]:
        """The features so far."""
        return self._names

    def add(self, pool: Pool) -> int:
        """Add a pool; return how many of its candidates are new. O(entries of the pool)."""
        self._check(pool)
        self._ids = _numbered(united(self._ids, pool.ids))
        self._names = united(self._names, pool.feature_names)
        if pool.feature_names != self._names[: pool.features.width]:
            pool = replace(pool, features=pool.features.renumbered(self._names))
        texts = _NO_TEXTS if pool.texts is None else pool.texts
        scores = [] if pool.texts is not None else [pool.scores[name] for name in sorted(pool.scores)]
        kept = self._known.add(
            pool.offsets,
            *pool.features.arrays,
            pool.features.width,
            texts.blob,
            texts.offsets,
            np.stack(scores, axis=1) if scores else np.zeros((0, 0)),
            np.array([self._ids[name] for name in pool.ids], dtype=np.int64),
            self._threads,
        )
        self._parts.append(pool)
        self._kept.append(kept)
        self.__dict__.pop("pool", None)
        return len(kept)

    @cached_property
    def pool(self) -> Pool:
        """All candidates so far. O(candidates); their features are read where they lie."""
        parts = self._parts
        if not parts:
            raise InputError("no pools to merge; expected at least one")
        lists = np.concatenate([_lists(pool, self._ids)[kept] for pool, kept in self._each()])
        starts = np.cumsum([0, *(pool.n_candidates for pool in parts)])
        places = [kept + start for kept, start in zip(self._kept, starts[:-1], strict=True)]
        rows = np.concatenate(places)[np.argsort(lists, kind="stable")]
        offsets = np.zeros(len(self._ids) + 1, dtype=np.int64)
        np.cumsum(np.bincount(lists, minlength=len(self._ids)), out=offsets[1:])
        agreed = [Texts.of([column[name] for name in self._ids]) for column in self._agreed]
        n_references = len(parts[0].references)
        return Pool(
            tuple(self._ids),
            offsets,
            LayeredFeatures(self._names, tuple(pool.features for pool in parts), rows),
            _texts(parts, rows),
            tuple(agreed[:n_references]),
            {name: np.concatenate([pool.scores[name] for pool in parts])[rows] for name in parts[0].scores},
            agreed[n_references] if parts[0].sources is not None else None,
            _totals(parts, rows),
            _stats(parts, rows),
        )

    def _each(self) -> Iterable[tuple[Pool, IntArray]]:
        return zip(self._parts, self._kept, strict=True)

    def _check(self, pool: Pool) -> None:
        """Raise InputError, with nothing changed, if a pool does not go with those before it."""
        place, first = len(self._parts), self._parts[0] if self._parts else pool
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
        self._agree(pool)

    def _agree(self, pool: Pool) -> None:
        """Note the references and sources of new lists; those of known ones must be the same."""
        columns = [("reference", reference) for reference in pool.references]
        if pool.sources is not None:
            columns.append(("source", pool.sources))
        if not self._agreed:
            self._agreed = [{} for _ in columns]
        united = []
        for (what, column), known in zip(columns, self._agreed, strict=True):
            new = dict(known)
            for name, text in zip(pool.ids, column, strict=True):
                if new.setdefault(name, text) != text:
                    raise InputError(
                        f"the pools to merge disagree on a {what} of sentence {name!r}:"
                        f" {new[name]!r} and {text!r}"
                    )
            united.append(new)
        self._agreed = united


def united(names: Iterable[str], more: Iterable[str]) -> tuple[str, ...]:
    """Return names in the order in which they come, each once."""
    return tuple(dict.fromkeys([*names, *more]))


def _numbered(names: Iterable[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(names)}


def _lists(pool: Pool, ids: dict[str, int]) -> IntArray:
    """Return the list of the union that each candidate belongs to."""
    return np.repeat(np.array([ids[name] for name in pool.ids], dtype=np.int64), np.diff(pool.offsets))


def _texts(pools: Sequence[Pool], rows: IntArray) -> Texts | None:
    columns = [pool.texts for pool in pools if pool.texts is not None]
    return Texts.joined(columns).take(rows) if columns else None


def _totals(pools: Sequence[Pool], rows: IntArray) -> FloatArray | None:
    columns = [pool.totals for pool in pools if pool.totals is not None]
    return np.concatenate(columns)[rows] if len(columns) == len(pools) else None


def _stats(pools: Sequence[Pool], rows: IntArray) -> dict[str, Stats]:
    """Return the statistics that all pools know already."""
    known = set.intersection(*(set(pool._stats) for pool in pools))
    return {name: np.concatenate([pool._stats[name] for pool in pools])[rows] for name in sorted(known)}
