"""Columns of tables that another of the files read together does not have: missing in all its rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tunesmith.candidates.missing import ASK, Gaps, Missing
from tunesmith.candidates.pool import Pool
from tunesmith.errors import InputError
from tunesmith.files import PathLike

__all__ = ["columns_not_in_all", "with_lacking_columns"]


def columns_not_in_all(
    paths: Sequence[PathLike],
    columns: Sequence[Sequence[str]],
    pools: Sequence[Pool],
    rule: Missing | None,
) -> list[str]:
    """Return the features that are columns of a file and that another file lacks; without a rule, raise.

    They are no sparse features, whose absence is zero: all rows of a table have them.
    """
    first = {name: path for path, own in zip(reversed(paths), reversed(columns), strict=True) for name in own}
    lacking: dict[str, None] = {}
    for path, pool in zip(paths, pools, strict=True):
        known = set(pool.feature_names)
        for name in (name for name in first if name not in known):
            lacking[name] = None
            if rule is None or rule == "error":
                raise InputError(
                    "feature {name!r}, a column of {first}, has no value in any of the {count:,} candidates"
                    " of this file; add the column" + ASK.replace("; say", ", or say"),
                    "missing",
                    path=path,
                    name=name,
                    first=str(first[name]),
                    count=pool.n_candidates,
                )
    return list(lacking)


def with_lacking_columns(pool: Pool, lacking: Sequence[str], rule: Missing | None) -> Pool:
    """Return the lists of all files with these features filled by the rule where they are missing."""
    if not lacking:
        return pool
    features = pool.features.flat
    few = np.isin(features.names, lacking)
    return replace(pool, features=Gaps(rule, pool.offsets, pool.ids).filled(features, few))
