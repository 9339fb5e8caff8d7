"""What the reranker checks in its rows: names of features, missing values, lists that were torn apart."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.candidates.missing import Missing, missing_rule
from tunesmith.candidates.names import first_names
from tunesmith.errors import InputError, TunesmithWarning
from tunesmith.types import FloatArray, IntArray

__all__ = [
    "check_names",
    "column_fill",
    "filled_rows",
    "list_digests",
    "names_of_columns",
    "warn_of_torn_lists",
]

MOSTLY = 0.75
"""Share of the groups with other rows than at fit that must have lost rows to look torn apart."""


def names_of_columns(X: Any) -> tuple[str, ...] | None:
    """Return the names of the columns of a data frame; None, as in scikit-learn, if they are not texts."""
    columns = getattr(X, "columns", None)
    if columns is None or not hasattr(X, "iloc"):
        return None
    named = [isinstance(name, str) for name in columns]
    if any(named) and not all(named):
        raise InputError(
            "X: some names of columns are texts and some are not; expected texts: X.columns.astype(str)"
        )
    return tuple(columns) if named and all(named) else None


def check_names(fitted: tuple[str, ...] | None, given: tuple[str, ...] | None) -> None:
    """Raise InputError unless the columns have the names of those that were fitted, in the same order.

    If only one of them has names, a warning says so, as in scikit-learn.
    """
    if fitted == given:
        return
    if fitted is None or given is None:
        which = "was fitted with" if given is None else "was fitted without"
        other = "X has none" if given is None else "X has them"
        warnings.warn(f"this Reranker {which} feature names, but {other}", TunesmithWarning, stacklevel=4)
        return
    unseen = [repr(name) for name in given if name not in fitted]
    lacking = [repr(name) for name in fitted if name not in given]
    parts = [f"unseen at fit: {first_names(unseen)}"] if unseen else []
    parts += [f"missing now: {first_names(lacking)}"] if lacking else []
    found = "; ".join(parts) or "the same names in another order"
    raise InputError(f"X: expected the features of fit in their order, found {found}; select them: X[names]")


def column_fill(rows: Any, missing: object) -> FloatArray | None:
    """Return the value of each column that missing ones count as, None if they are errors.

    `worst` is the least and `mean` the mean value of the column, NaN if it has none.
    """
    rule: Missing | None = missing_rule(missing)
    width = rows.shape[1]
    if rule is None or rule == "error":
        return None
    if not isinstance(rule, str) or rule == "absent":
        return np.full(width, 0.0 if isinstance(rule, str) else rule)
    if hasattr(rows, "tocsr"):  # entries only: an absent one is no value
        columns, values = rows.indices, rows.data
    else:
        columns, values = np.tile(np.arange(width), len(rows)), rows.reshape(-1)
    known = ~np.isnan(values)
    columns, values = columns[known], values[known]
    if rule == "worst":
        fill = np.full(width, np.inf)
        np.minimum.at(fill, columns, values)
        return np.where(np.isinf(fill), np.nan, fill)
    counts = np.bincount(columns, minlength=width)
    sums = np.bincount(columns, weights=values, minlength=width)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


def filled_rows(rows: Any, fill: FloatArray | None, names: tuple[str, ...] | None) -> Any:
    """Return rows with missing values filled; without a fill they are an InputError."""
    is_sparse = hasattr(rows, "tocsr")
    gaps = np.isnan(rows.data if is_sparse else rows)
    if not gaps.any():
        return rows
    at_rows, at_columns = (axis[gaps] for axis in rows.tocoo().coords) if is_sparse else gaps.nonzero()
    unknown = np.ones(len(at_rows), dtype=np.bool_) if fill is None else np.isnan(fill[at_columns])
    if unknown.any():
        row, column = int(at_rows[unknown][0]), int(at_columns[unknown][0])
        name = f"f{column}" if names is None else names[column]
        raise InputError(
            f"X: feature {name!r} has no value in row {row}, one of {len(at_rows):,} without a value;"
            " say what they count as: Reranker(missing='worst'), 'mean', 'absent' or a number; worst and mean"
            " are of the rows that are fitted"
        )
    assert fill is not None
    if is_sparse:
        rows = rows.copy()
        rows.data[gaps] = fill[rows.indices[gaps]]
        return rows
    return np.where(gaps, fill, rows)


def list_digests(
    labels: npt.NDArray[Any], groups: IntArray, values: FloatArray
) -> dict[Any, tuple[int, bytes]]:
    """Return the size and a digest of the scores of each list, by its label; their order does not matter."""
    order = np.lexsort((values, groups))
    starts = np.flatnonzero(np.diff(groups[order], prepend=-1))
    ends = np.append(starts[1:], len(order))
    return {
        labels[order[begin]].item() if labels.dtype != object else labels[order[begin]]: (
            end - begin,
            hashlib.sha256(values[order[begin:end]].tobytes()).digest(),
        )
        for begin, end in zip(starts.tolist(), ends.tolist(), strict=True)
    }


def warn_of_torn_lists(
    fitted: Mapping[Any, tuple[int, bytes]], scored: Mapping[Any, tuple[int, bytes]], rows: int
) -> None:
    """Warn of lists of which some rows were fitted and others are scored, and if all have one row.

    Other lists may have the same labels, such as numbers from 0; what a splitter leaves for scoring has fewer
    rows than what was fitted.
    """
    if rows == len(scored) > 1:
        text = "every group has one row only: there is nothing to choose; are the groups right?"
        warnings.warn(text, TunesmithWarning, stacklevel=3)
    torn = [label for label, found in scored.items() if fitted.get(label, found) != found]
    shrunk = [label for label in torn if scored[label][0] < fitted[label][0]]
    if shrunk and len(shrunk) >= MOSTLY * len(torn):
        warnings.warn(
            f"{len(torn):,} of {len(scored):,} groups, such as {shrunk[0]!r}, were fitted with other rows"
            " than are scored, most with more: if a splitter tore the lists apart, as KFold does, both are"
            " wrong; split by group, with GroupKFold; if these are other lists, this does not matter",
            TunesmithWarning,
            stacklevel=3,
        )
