"""Pools from pandas data frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tunesmith.candidates.arrays import from_arrays, group_offsets
from tunesmith.candidates.pool import Pool
from tunesmith.candidates.reference_columns import column_references
from tunesmith.errors import InputError, suggest

if TYPE_CHECKING:
    import pandas

__all__ = ["from_pandas"]


def from_pandas(
    frame: pandas.DataFrame,
    *,
    id: str = "id",  # noqa: A002 - the column's name
    text: str | None = "text",
    features: Sequence[str] | None = None,
    scores: Sequence[str] = (),
    references: str | Sequence[str] = (),
) -> Pool:
    """Build a pool from a data frame, one row per candidate; the rows of a sentence are contiguous.

    `id`, `text`, `scores` and `references` name columns; `text=None` means that there are no texts.
    References are texts or lists (tuples, arrays) of texts, the same in all rows of a sentence. `features`
    [default: all other columns] must be numbers without missing values.
    """
    if not frame.columns.is_unique:
        raise InputError("two columns of the data frame have the same name")
    reference_columns = [references] if isinstance(references, str) else list(references)
    taken = [id, *([] if text is None else [text]), *scores, *reference_columns]
    chosen = [name for name in frame.columns if name not in taken] if features is None else list(features)
    for column in [*taken, *chosen]:
        if column not in frame.columns:
            raise InputError(
                f"no column {column!r} in the data frame{suggest(column, map(str, frame.columns))}"
            )
    if not chosen:
        raise InputError("no column of the data frame is left to be a feature")
    for column in [*chosen, *scores]:
        if frame[column].dtype.kind not in "iufb":
            raise InputError(
                f"column {column!r} has type {frame[column].dtype}, not numbers;"
                " name the columns that are features=, scores= or references="
            )
    if frame[id].isna().any():
        raise InputError(f"column {id!r} has no value in row {int(np.argmax(frame[id].isna()))}")
    offsets, ids = group_offsets(frame[id].to_numpy())
    return from_arrays(
        frame[chosen].to_numpy(dtype=np.float64, na_value=np.nan),
        offsets=offsets,
        names=[str(name) for name in chosen],
        texts=None if text is None else frame[text].tolist(),
        references=[
            texts
            for column in reference_columns
            for texts in column_references(frame[column].tolist(), column, offsets, ids)
        ],
        scores={name: frame[name].to_numpy(dtype=np.float64, na_value=np.nan) for name in scores},
        ids=ids,
    )
