"""Shared part of the n-best formats: one candidate per line, fields separated by `|||`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tunesmith import _native
from tunesmith.candidates.pool import Pool
from tunesmith.candidates.writers.base import pool_text, spans
from tunesmith.errors import InputError

__all__ = ["fits_nbest", "nbest_chunks"]

_NUMBER = re.compile("0|[1-9][0-9]{0,17}")
_UNFIT = re.compile(r"[ \t\r\n]|\|\|\|")


def fits_nbest(name: str) -> bool:
    """Return whether n-best lists can contain a feature name."""
    return bool(name) and _UNFIT.search(name) is None


def nbest_chunks(pool: Pool, prefixes: Iterable[str]) -> Iterator[bytes]:
    """Yield the lines of a pool, with a prefix before the value of each feature.

    Ids that are not all whole numbers are replaced by 0, 1, ...
    """
    if pool.texts is None:
        raise InputError("the pool has no texts, which this format needs; write jsonl or parquet")
    for name in pool.feature_names:
        if not fits_nbest(name):
            raise InputError(
                f"the feature name {name!r} is empty or contains a blank or '|||'; write jsonl or parquet"
            )
    numbered = all(_NUMBER.fullmatch(name) for name in pool.ids)
    text = pool_text(pool, pool.ids if numbered else map(str, range(len(pool))), prefixes)
    for begin, end in spans(pool):
        yield _native.format_nbest(text, begin, end)
