"""Feature matrices from columns of numbers, some of them with gaps, and from maps per row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tunesmith.candidates.features import Features
from tunesmith.candidates.missing import Gaps
from tunesmith.errors import InputError
from tunesmith.types import FloatArray

__all__ = ["Column", "FeatureMaps", "join_columns"]


class Column(NamedTuple):
    """The values of a feature, NaN where one is missing, and the rows that have it; None if all rows do."""

    rows: npt.NDArray[np.int32] | None
    values: FloatArray

    @property
    def as_sparse(self) -> Column:
        """The column without its missing values: rows without one do not have the feature."""
        gaps = np.isnan(self.values)
        if not gaps.any():
            return self
        rows = np.arange(len(gaps), dtype=np.int32) if self.rows is None else self.rows
        return Column(rows[~gaps], self.values[~gaps])


class FeatureMaps(NamedTuple):
    """The entries of maps from names to values: their rows, the numbers of their names, their values."""

    names: Sequence[str]
    rows: npt.NDArray[np.int32]
    codes: npt.NDArray[np.int32]
    values: FloatArray


def join_columns(
    columns: Mapping[str, Column],
    gaps: Gaps,
    maps: FeatureMaps | None = None,
    order: Sequence[str] = (),
) -> Features:
    """Return the features of all columns and maps: first the names in `order`, then the others.

    If all rows have them they are dense, zeros included. A feature twice in a row is an error.
    """
    rows = int(gaps.offsets[-1])
    names = dict.fromkeys([*order, *columns, *(maps.names if maps is not None else ())])
    place = {name: index for index, name in enumerate(names)}
    shape = (rows, len(place))
    everywhere = all(column.rows is None for column in columns.values())
    if maps is None and len(columns) == len(place) and everywhere:
        matrix = np.empty(shape)
        for name, column in columns.items():
            matrix[:, place[name]] = column.values
        return gaps.dense(matrix, list(place))
    parts = []
    for name, column in columns.items():
        present = np.arange(rows, dtype=np.int32) if column.rows is None else column.rows
        parts.append((present, np.full(len(present), place[name], dtype=np.int32), column.values))
    if maps is not None:
        codes = np.array([place[name] for name in maps.names], dtype=np.int32)
        parts.append((maps.rows, codes[maps.codes], maps.values))
    import scipy.sparse

    if not parts:
        return Features.from_scipy(scipy.sparse.csr_array(shape), list(place))
    entries = np.concatenate([values for _, _, values in parts])
    places = tuple(np.concatenate([part[axis] for part in parts]) for axis in (0, 1))
    sparse = scipy.sparse.coo_array((entries, places), shape=shape).tocsr()
    if sparse.nnz != len(entries):
        raise InputError("a feature is repeated in one candidate")
    return gaps.sparse(sparse, list(place), absent=True)
