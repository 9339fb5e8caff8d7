"""Pools from numpy and scipy arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.candidates.missing import Gaps, Missing, missing_rule
from tunesmith.candidates.pool import Pool
from tunesmith.errors import InputError, OptionError
from tunesmith.texts import Texts
from tunesmith.types import FloatArray, IntArray

__all__ = ["from_arrays", "group_offsets", "id_text"]


def from_arrays(
    features: Any,
    *,
    offsets: npt.ArrayLike | None = None,
    groups: npt.ArrayLike | None = None,
    names: Sequence[str] | None = None,
    texts: Sequence[Any] | None = None,
    references: Sequence[Any] | None = None,
    scores: Mapping[str, npt.ArrayLike] | None = None,
    ids: Sequence[object] | None = None,
    missing: Missing | None = None,
) -> Pool:
    """Build a pool from a dense array [lists, candidates, features], or from rows of ragged lists.

    Ragged lists are a matrix [rows, features], numpy or scipy sparse, with either `offsets` (list g
    is the rows offsets[g] to offsets[g + 1]) or `groups` (the list that each row belongs to; rows of
    a list are contiguous). `texts` and each of `scores` have one entry per row, flat or, with a dense
    array, [lists, candidates]. `references` is one list of texts, or several: `references[r][g]`. `ids`
    default to the groups, else to 0, 1, ... A feature that is NaN is an error, or counts as `missing` says
    (see `Gaps`). Arrays of the right types (float64, int64, int32) are not copied.
    """
    matrix = features if hasattr(features, "tocsr") else _numbers(features, "features")
    if matrix.ndim == 3:
        if offsets is not None or groups is not None:
            raise OptionError("an array [lists, candidates, features] takes neither offsets nor groups")
        lists, size, width = matrix.shape
        matrix = matrix.reshape(lists * size, width)
        borders = np.arange(lists + 1, dtype=np.int64) * size
        shape: tuple[int, int] | None = (lists, size)
    elif matrix.ndim == 2:
        borders, found = _borders(offsets, groups, matrix.shape[0])
        ids = found if ids is None else ids
        shape = None
    else:
        raise InputError(
            "expected an array [lists, candidates, features] or [rows, features],"
            f" found one of shape {matrix.shape}"
        )
    rows = matrix.shape[0]
    if names is not None and len(names) != matrix.shape[1]:
        raise InputError(f"{len(names)} names for {matrix.shape[1]} features")
    labels = tuple(map(id_text, range(len(borders) - 1) if ids is None else ids))
    gaps = Gaps(missing_rule(missing), borders, labels)
    return Pool(
        labels,
        borders,
        gaps.sparse(matrix, names) if hasattr(matrix, "tocsr") else gaps.dense(matrix, names),
        None if texts is None else _texts(texts, rows, shape),
        _references(references, len(borders) - 1),
        {name: _column(name, column, rows, shape) for name, column in (scores or {}).items()},
    )


def group_offsets(groups: npt.ArrayLike) -> tuple[IntArray, list[str]]:
    """Return the offsets of runs of equal values, and the values; a value in two runs is an error."""
    values = np.asarray(groups)
    if values.ndim != 1:
        raise InputError(f"groups: expected one value per row, found an array of shape {values.shape}")
    changes = np.flatnonzero(values[1:] != values[:-1]) + 1
    starts = np.concatenate([[0], changes]) if len(values) else changes
    ids = [id_text(value) for value in values[starts].tolist()]
    if len(set(ids)) != len(ids):
        seen: set[str] = set()
        for start, name in zip(starts.tolist(), ids, strict=True):
            if name in seen:
                raise InputError(
                    f"group {name!r} occurs again at row {start};"
                    " expected the rows of a group to be contiguous: sort them"
                )
            seen.add(name)
    return np.append(starts, len(values)).astype(np.int64), ids


def id_text(value: object) -> str:
    """Return an id as text; a whole number has no fraction, also where a column has it as a float."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _borders(
    offsets: npt.ArrayLike | None, groups: npt.ArrayLike | None, rows: int
) -> tuple[IntArray, list[str] | None]:
    if (offsets is None) == (groups is None):
        raise OptionError("a matrix [rows, features] needs either offsets or groups to define the lists")
    if groups is not None:
        borders, ids = group_offsets(groups)
        if borders[-1] != rows:
            raise InputError(f"{borders[-1]} groups for {rows} rows of features")
        return borders, ids
    array = np.asarray(offsets)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise InputError(f"offsets: expected whole numbers, found {array.dtype} of shape {array.shape}")
    return np.ascontiguousarray(array, dtype=np.int64), None


def _texts(texts: Sequence[Any], rows: int, shape: tuple[int, int] | None) -> Texts:
    nested = not isinstance(texts, Texts) and len(texts) > 0 and _is_list(texts[0])
    packed = Texts.of(_flatten(texts, shape) if nested else texts)
    if len(packed) != rows:
        raise InputError(f"{len(packed)} texts for {rows} rows of features")
    return packed


def _is_list(entry: Any) -> bool:
    return isinstance(entry, Sequence | np.ndarray) and not isinstance(entry, str | bytes)


def _flatten(texts: Sequence[Any], shape: tuple[int, int] | None) -> list[Any]:
    """Return the texts of nested lists, whose number and lengths must match the lists of features."""
    if shape is None:
        raise InputError("texts: found lists within a list; expected one text per row of the matrix")
    lists, size = shape
    if len(texts) != lists:
        raise InputError(f"texts: {len(texts)} lists of texts for {lists} lists of candidates")
    for number, row in enumerate(texts):
        if not _is_list(row) or len(row) != size:
            found = f"{len(row)} texts" if _is_list(row) else repr(row)
            raise InputError(f"texts: list {number} is {found}; expected {size} texts")
    return [text for row in texts for text in row]


def _references(references: Sequence[Any] | None, lists: int) -> tuple[Texts, ...]:
    if references is None or len(references) == 0:
        return ()
    several = references if not isinstance(references[0], str) else [references]
    packed = tuple(Texts.of(reference) for reference in several)
    for number, reference in enumerate(packed):
        if len(reference) != lists:
            raise InputError(f"reference {number} has {len(reference)} texts for {lists} lists")
    return packed


def _numbers(values: npt.ArrayLike, what: str) -> FloatArray:
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:  # ragged nesting, or entries of other types
        raise InputError(f"{what}: expected an array of numbers ({error})") from None


def _column(name: str, column: npt.ArrayLike, rows: int, shape: tuple[int, int] | None) -> FloatArray:
    array = np.ascontiguousarray(_numbers(column, f"score {name!r}"))
    if array.shape not in ((rows,), shape):
        nested = "" if shape is None else f" or {shape}"
        raise InputError(
            f"score {name!r}: an array of shape {array.shape} for {rows} rows of features;"
            f" expected ({rows},){nested}"
        )
    return array.reshape(-1)
