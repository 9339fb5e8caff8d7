"""Features with the same columns, batch by batch, for lists that are written as they come."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tunesmith.candidates.features import Features
from tunesmith.types import IntArray

__all__ = ["with_columns"]


def with_columns(features: Features, names: Sequence[str]) -> Features:
    """Return the features with the columns `names` first, in each row, zeros too; others after them.

    Lists that are written batch by batch so have the same columns in each batch.
    """
    rows, width = len(features), len(names)
    known = {name: column for column, name in enumerate(names)}
    others = [name for name in features.names if name not in known]
    numbers = {name: width + i for i, name in enumerate(_by_first_use(features, others))}
    columns = np.array([known.get(name, numbers.get(name, -1)) for name in features.names], dtype=np.int64)
    entry_rows = np.repeat(np.arange(rows, dtype=np.int64), np.diff(features.offsets))
    entry_columns = columns[features.columns]
    is_dense = entry_columns < width
    dense = np.zeros((rows, width))
    dense[entry_rows[is_dense], entry_columns[is_dense]] = features.values[is_dense]
    if is_dense.all():
        return Features.from_dense(dense, names)
    all_rows = np.concatenate([np.repeat(np.arange(rows, dtype=np.int64), width), entry_rows[~is_dense]])
    all_columns = np.concatenate([np.tile(np.arange(width, dtype=np.int64), rows), entry_columns[~is_dense]])
    values = np.concatenate([dense.ravel(), features.values[~is_dense]])
    order = np.lexsort((all_columns, all_rows))
    offsets: IntArray = np.zeros(rows + 1, dtype=np.int64)
    np.cumsum(np.bincount(all_rows, minlength=rows), out=offsets[1:])
    return Features((*names, *numbers), offsets, all_columns[order].astype(np.int32), values[order])


def _by_first_use(features: Features, names: Sequence[str]) -> list[str]:
    """Return names in the order in which a reader meets them."""
    if not names:
        return []
    used, first = np.unique(features.columns, return_index=True)
    places = dict(zip((features.names[column] for column in used.tolist()), first.tolist(), strict=True))
    return sorted((name for name in names if name in places), key=lambda name: int(places[name]))
