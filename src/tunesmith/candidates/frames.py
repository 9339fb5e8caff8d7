"""Pools from and to pandas data frames."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from tunesmith.candidates.feature_columns import Column
from tunesmith.candidates.missing import Missing
from tunesmith.candidates.names import repeated_names
from tunesmith.candidates.pool import Pool
from tunesmith.candidates.table import table_pool
from tunesmith.candidates.table_roles import REFERENCES, RESERVED, SCORE, SPARSE, SPARSE_PREFIX, roles_of
from tunesmith.errors import InputError, OptionError
from tunesmith.types import BoolArray

if TYPE_CHECKING:
    import pandas

__all__ = ["from_pandas", "to_pandas"]


def from_pandas(
    frame: pandas.DataFrame,
    *,
    id: str = "id",  # noqa: A002 - the column's name
    text: str | None = "text",
    features: Sequence[str] | None = None,
    scores: Sequence[str] = (),
    references: str | Sequence[str] | None = None,
    missing: Missing | None = None,
) -> Pool:
    """Build a pool from a data frame, one row per candidate; the rows of a sentence are contiguous.

    `id`, `text`, `scores` and `references` name columns; `text=None` means that there are no texts.
    References are texts or lists (tuples, arrays) of texts, the same in all rows of a sentence [default:
    the column `references`, if there is one]. As in Parquet, the columns `source`, `total`, `score:<name>`
    and `sparse_features` are no features. `features` [default: all other columns] must be numbers; a missing
    one is an error, or counts as `missing` says: "worst", "mean", "absent" or a number (see `Gaps`).
    """
    if twice := repeated_names(map(str, frame.columns)):
        raise InputError(f"two columns of the data frame are named {twice}; expected distinct names")
    roles = roles_of(
        list(frame.columns),
        "the data frame",
        id=id,
        text=text,
        features=features,
        scores=scores,
        references=references,
    )
    if not roles.features and roles.sparse is None:
        raise InputError("no column of the data frame is left to be a feature")

    return table_pool(roles, lambda name: frame[name].tolist(), partial(_numbers, frame), missing=missing)


def _numbers(frame: pandas.DataFrame, name: str) -> Column:
    if frame[name].dtype.kind not in "iufb":
        raise InputError(
            f"column {name!r} has type {frame[name].dtype}, not numbers;"
            " name the columns that are features=, scores= or references="
        )
    return Column(None, frame[name].to_numpy(dtype=np.float64, na_value=np.nan))


def to_pandas(pool: Pool) -> pandas.DataFrame:
    """Return a data frame with one row per candidate, which `from_pandas` reads back.

    Columns are `id`, then as far as the pool has them `text`, `source`, `references` (the text, or a list if
    there are several), `total`, `score:<name>` and a column per feature. Features that only some candidates
    have are maps from names to values in the column `sparse_features`.
    """
    try:
        import pandas
    except ImportError:
        raise OptionError("to_pandas needs pandas: pip install pandas") from None
    lists = np.repeat(np.arange(len(pool)), np.diff(pool.offsets)).tolist()
    columns: dict[str, Any] = {"id": [pool.ids[g] for g in lists]}
    if pool.texts is not None:
        columns["text"] = list(pool.texts)
    if pool.sources is not None:
        sources = list(pool.sources)
        columns["source"] = [sources[g] for g in lists]
    if pool.references:
        rows: list[Any] = [list(texts) for texts in zip(*pool.references, strict=True)]
        if len(pool.references) == 1:
            rows = [texts[0] for texts in rows]
        columns["references"] = [rows[g] for g in lists]
    if pool.totals is not None:
        columns["total"] = np.array(pool.totals)
    columns |= {SCORE + name: np.array(column) for name, column in pool.scores.items()}
    return pandas.DataFrame(columns | _features(pool))


def _features(pool: Pool) -> dict[str, Any]:
    """Return a column per dense feature, and one of maps if there are others, or names with another role."""
    features = pool.features.flat
    special = [
        name in RESERVED or name.startswith((SCORE, REFERENCES, SPARSE_PREFIX)) for name in features.names
    ]
    own: BoolArray = features.dense & ~np.array(special, dtype=np.bool_)
    by_column = np.argsort(features.columns, kind="stable")
    borders = np.append(0, np.cumsum(np.bincount(features.columns, minlength=features.width)))
    columns: dict[str, Any] = {
        features.names[i]: features.values[by_column[borders[i] : borders[i + 1]]]
        for i in np.flatnonzero(own)
    }
    if own.all():
        return columns
    maps: list[dict[str, float]] = [{} for _ in range(len(features))]
    shared = np.flatnonzero(~own[features.columns])
    rows = np.repeat(np.arange(len(features)), np.diff(features.offsets))[shared].tolist()
    for row, column, value in zip(
        rows, features.columns[shared].tolist(), features.values[shared].tolist(), strict=True
    ):
        maps[row][features.names[column]] = value
    return columns | {SPARSE: maps}
