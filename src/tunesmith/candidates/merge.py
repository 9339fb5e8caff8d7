"""Several pools as one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

import numpy as np

from tunesmith.candidates.pool import Pool
from tunesmith.candidates.union import Union
from tunesmith.candidates.user_call import warn_user
from tunesmith.errors import IgnoredInputWarning, Message, TunesmithWarning
from tunesmith.immutable import seal
from tunesmith.options import check_option
from tunesmith.types import IntArray

__all__ = ["Duplicates", "merge", "merged_files"]

Duplicates: TypeAlias = Literal["keep", "drop"]
"""What to do with candidates that are equal to an earlier one of their list; see `Union`."""


def merge(pools: Iterable[Pool], threads: int | None = None, *, duplicates: Duplicates = "drop") -> Pool:
    """Return the union of the pools' lists, each candidate once unless `duplicates` is "keep". O(entries)."""
    check_option("merge", "duplicates", Duplicates, duplicates)
    union = Union(threads, keep_duplicates=duplicates == "keep")
    rows_of: list[IntArray] = []
    for pool in pools:
        union.add(pool)
        rows_of.append(_rows_in_files(pool))
    return _joined(union, rows_of)


def merged_files(pools: Sequence[Pool], duplicates: Duplicates | None) -> Pool:
    """Return the lists of one or several files as a pool, with all candidates unless they are to be dropped.

    Equal candidates are evidence: samples of a model that agree. How many are dropped is an
    IgnoredInputWarning; without a choice, how many of several files are equal is a TunesmithWarning.
    """
    check_option("read", "duplicates", Duplicates | None, duplicates)
    if len(pools) == 1 and duplicates != "drop":
        return pools[0]
    union = Union(keep_duplicates=duplicates != "drop")
    total = sum(pool.n_candidates for pool in pools)
    equal = total - sum(union.add(pool) for pool in pools)
    if equal and duplicates != "keep":
        said = "{equal:,} of {total:,} candidates equal an earlier one of their list in text and features"
        if duplicates == "drop":
            warning: Warning = IgnoredInputWarning(Message(said + ": dropped", equal=equal, total=total))
        else:
            said += ", and count as often as they are there; {} 'drop' reads each once, 'keep' all"
            warning = TunesmithWarning(Message(said, "duplicates", equal=equal, total=total))
        warn_user(warning)
    return _joined(union, [_rows_in_files(pool) for pool in pools])


def _rows_in_files(pool: Pool) -> IntArray:
    return np.arange(pool.n_candidates) if pool.file_rows is None else pool.file_rows


def _joined(union: Union, rows_of: Sequence[IntArray]) -> Pool:
    """Return the union of pools whose candidates have these rows in their files, which follow one another."""
    pool = union.pool
    starts = np.cumsum([0, *(1 + int(rows.max()) for rows in rows_of)])
    rows = np.concatenate([own + start for own, start in zip(rows_of, starts[:-1], strict=True)])
    origins = rows[union.origins]
    is_ordered = bool((np.diff(origins) > 0).all())
    return replace(pool, features=pool.features.flat, file_rows=None if is_ordered else seal(origins))
