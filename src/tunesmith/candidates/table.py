"""Pools from tables of any kind, with one row per candidate."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from tunesmith.candidates.arrays import group_offsets, id_text
from tunesmith.candidates.feature_columns import Column, FeatureMaps, join_columns
from tunesmith.candidates.missing import Gaps, Missing, missing_rule
from tunesmith.candidates.pool import Pool
from tunesmith.candidates.reference_columns import column_references, one_per_list
from tunesmith.candidates.table_roles import SPARSE_PREFIX, Roles
from tunesmith.errors import InputError
from tunesmith.texts import Texts
from tunesmith.types import FloatArray

__all__ = ["cell_numbers", "dense_columns", "feature_columns", "table_pool"]


def table_pool(
    roles: Roles,
    cells: Callable[[str], Sequence[Any]],
    numbers_of: Callable[[str], Column] | None = None,
    *,
    missing: Missing | None = None,
    lines: Sequence[int] = (),
) -> Pool:
    """Return the pool of a table, given the cells of a column by its name, None for empty ones.

    `numbers_of` returns the numbers of a column [default: those of its cells]. The rows of an id are
    contiguous. What a missing number of a feature counts as is said by `missing`; in a column `sparse:<name>`
    it is an absent feature, and other columns must be complete. `lines` are those of the rows in a file.
    """
    column = numbers_of or (lambda name: cell_numbers(cells(name), name))
    names = cells(roles.id)
    if len(names) == 0:
        raise InputError("no candidates: the table has no rows; expected at least one")
    for row, name in enumerate(names):
        if _is_missing(name):
            raise InputError(f"column {roles.id!r} has no value in row {row}; expected a sentence id")
    labels = np.empty(len(names), dtype=object)
    labels[:] = [id_text(name) for name in names]
    offsets, ids = group_offsets(labels)
    maps = None if roles.sparse is None else _maps(cells(roles.sparse), roles.sparse)
    source = roles.source
    gaps = Gaps(missing_rule(missing), offsets, ids, lines, scored=True)
    return Pool(
        tuple(ids),
        offsets,
        join_columns(feature_columns(roles.features, column), gaps, maps),
        None if roles.text is None else _texts(cells(roles.text), roles.text),
        tuple(
            texts for name in roles.references for texts in column_references(cells(name), name, offsets, ids)
        ),
        {name: _complete(column(place), place) for name, place in roles.scores.items()},
        None if source is None else one_per_list(_texts(cells(source), source), source, offsets, ids),
        None if roles.total is None else _complete(column(roles.total), roles.total),
    )


def feature_columns(names: Sequence[str], column: Callable[[str], Column]) -> dict[str, Column]:
    """Return the columns of features by the names of the features."""
    found: dict[str, Column] = {}
    for name in names:
        own = str(name).removeprefix(SPARSE_PREFIX)
        if own in found:
            raise InputError(f"columns {own!r} and {SPARSE_PREFIX + own!r} are the same feature")
        found[own] = column(name) if own == str(name) else column(name).as_sparse
    return found


def dense_columns(names: Sequence[str]) -> list[str]:
    """Return the features, of columns of these names, that all rows have: those that are not `sparse:`."""
    return [str(name) for name in names if not str(name).startswith(SPARSE_PREFIX)]


def cell_numbers(cells: Sequence[Any], name: str) -> Column:
    """Return the numbers of Python values; None is NaN, a missing one, and anything else an InputError."""
    array = cells if isinstance(cells, np.ndarray) else None
    if array is None and all(type(cell) in (float, int) for cell in cells):
        array = np.array(cells, dtype=np.float64)
    if array is not None and array.ndim == 1 and array.dtype.kind in "iufb":
        return Column(None, array.astype(np.float64))
    values = []
    for row, cell in enumerate(cells):
        if _is_missing(cell):
            values.append(np.nan)
            continue
        # A scalar of a tensor library is no numbers.Real, but has the method item.
        plain = cell.item() if hasattr(cell, "item") and np.ndim(cell) == 0 else cell
        if not isinstance(plain, numbers.Real):
            raise InputError(
                f"column {name!r} has a value of type {type(plain).__name__} in row {row}; expected numbers"
            )
        values.append(float(plain))
    return Column(None, np.array(values, dtype=np.float64))


def _complete(column: Column, name: str) -> FloatArray:
    gaps = np.flatnonzero(np.isnan(column.values))
    if column.rows is not None:
        places = np.append(column.rows, -1) != np.arange(len(column.rows) + 1)
        gaps = np.append(column.rows[gaps], np.argmax(places))
    if len(gaps):
        raise InputError(f"column {name!r} has no value in row {gaps.min()}; expected a number in every row")
    return column.values


def _texts(cells: Sequence[Any], name: str) -> Texts:
    for row, cell in enumerate(cells):
        if not isinstance(cell, str):
            found = "no value" if _is_missing(cell) else f"a value of type {type(cell).__name__}"
            raise InputError(f"column {name!r} has {found} in row {row}; expected a text")
    return Texts.of(cells)


def _maps(cells: Sequence[Any], name: str) -> FeatureMaps:
    """Return the entries of maps from feature names to numbers; an empty cell is an empty map."""
    numbers_by_name: dict[str, int] = {}
    rows, codes, values = [], [], []
    for row, cell in enumerate(cells):
        if _is_missing(cell):
            continue
        if not isinstance(cell, Mapping):
            raise InputError(
                f"column {name!r} has a value of type {type(cell).__name__} in row {row};"
                " expected a map from feature names to numbers"
            )
        found = {str(key): value for key, value in cell.items() if value is not None}
        rows += [row] * len(found)
        codes += [numbers_by_name.setdefault(key, len(numbers_by_name)) for key in found]
        values.append(cell_numbers(list(found.values()), name).values)
    flat = np.concatenate(values) if values else np.zeros(0)
    return FeatureMaps(
        tuple(numbers_by_name), np.array(rows, dtype=np.int32), np.array(codes, dtype=np.int32), flat
    )


def _is_missing(cell: Any) -> bool:
    """Return whether a cell is None, NaN or pandas' NA."""
    return (
        cell is None
        or type(cell).__name__ in ("NAType", "NaTType")
        or (
            isinstance(cell, float) and cell != cell  # noqa: PLR0124 - NaN
        )
    )
