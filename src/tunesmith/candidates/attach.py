"""Pools with further features or scores, computed elsewhere."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from tunesmith.candidates.features import Features
from tunesmith.candidates.names import repeated_names
from tunesmith.candidates.pool import Pool
from tunesmith.errors import InputError, OptionError
from tunesmith.immutable import seal
from tunesmith.types import FloatArray, IntArray

__all__ = ["with_features", "with_scores"]


Order: TypeAlias = Literal["pool", "file"]
"""The order of values: that of the pool's candidates, or of those of its file."""


def with_scores(pool: Pool, columns: Mapping[str, npt.ArrayLike], order: Order | None = None) -> Pool:
    """Return the pool with further scores, one value per candidate each; see `Pool.with_scores`."""
    places = _places(pool, order)
    if not columns:
        raise OptionError("no scores were given; expected arrays by name, such as comet=array")
    added = {name: _column(pool, "score", name, column)[places] for name, column in columns.items()}
    _check_free("score", added, pool.scores)
    return replace(pool, scores={**pool.scores, **added})


def with_features(
    pool: Pool,
    values: Mapping[str, npt.ArrayLike] | npt.ArrayLike | None,
    names: Sequence[str] | None,
    columns: Mapping[str, npt.ArrayLike],
    order: Order | None = None,
) -> Pool:
    """Return the pool with further features: arrays by name, or a matrix [candidates, features] with names.

    Every candidate gets the new features, zeros too; they come after the others. O(entries).
    """
    places = _places(pool, order)
    added: dict[str, FloatArray] = {}
    if isinstance(values, Mapping):
        if names is not None:
            raise OptionError("names belong to a matrix of features, not to arrays by name")
        columns = {**values, **columns}
    elif values is not None:
        added = _matrix_columns(pool, values, names)
    if twice := added.keys() & columns.keys():
        raise InputError(f"two features are named {min(twice)!r}")
    added |= {name: _column(pool, "feature", name, column) for name, column in columns.items()}
    if not added:
        raise OptionError("no features were given; expected arrays by name, or a matrix with names")
    _check_free("feature", added, set(pool.feature_names))
    added = {name: column[places] for name, column in added.items()}
    return replace(pool, features=_appended(pool.features, added))


def _places(pool: Pool, order: Order | None) -> IntArray | slice:
    """Return the place of the value of each candidate; an OptionError if the order has to be given."""
    if order is not None and (not isinstance(order, str) or order not in get_args(Order)):
        raise OptionError(
            "{} is 'pool' or 'file'; give a column that is named so in a mapping: {{'order': array}}", "order"
        )
    if pool.file_rows is None or order == "pool":
        return slice(None)
    if order is None:
        raise OptionError(
            "the candidates of this pool are not in the order of the file: its lists were sorted by id, taken"
            " in another order, or joined with those of other files; say by {} whether values are in the"
            " order of the 'pool' (of pool.texts) or of the 'file'",
            "order",
        )
    places = np.empty(pool.n_candidates, dtype=np.int64)
    places[np.argsort(pool.file_rows, kind="stable")] = np.arange(pool.n_candidates)
    return places


def _matrix_columns(pool: Pool, values: npt.ArrayLike, names: Sequence[str] | None) -> dict[str, FloatArray]:
    matrix = np.asarray(values)
    if matrix.ndim != 2:
        raise InputError(
            f"expected a matrix [candidates, features], found an array of shape {matrix.shape};"
            " give an array of one feature by its name: with_features(name=array)"
        )
    if names is None:
        raise OptionError("a matrix of features needs names, one per column: with_features(matrix, names)")
    if isinstance(names, str) or len(names) != matrix.shape[1]:
        raise InputError(f"{len(names)} names for {matrix.shape[1]} features")
    if twice := repeated_names(names):
        raise InputError(f"two features are named {twice}")
    return {name: _column(pool, "feature", name, matrix[:, place]) for place, name in enumerate(names)}


def _column(pool: Pool, what: str, name: str, column: npt.ArrayLike) -> FloatArray:
    """Return finite numbers, one per candidate; anything else is an InputError that names the column."""
    try:
        values = np.array(column, dtype=np.float64)
    except (TypeError, ValueError) as error:  # ragged nesting, or entries of other types
        raise InputError(f"{what} {name!r}: expected an array of numbers ({error})") from None
    if values.shape != (pool.n_candidates,):
        raise InputError(
            f"{what} {name!r}: an array of shape {values.shape} for {pool.n_candidates} candidates;"
            f" expected one value per candidate"
        )
    finite = np.isfinite(values)
    if not finite.all():
        row = int(np.argmin(finite))
        sentence = pool.ids[int(np.searchsorted(pool.offsets, row, side="right")) - 1]
        raise InputError(
            f"{what} {name!r} of candidate {row} (sentence {sentence!r}) is {values[row]};"
            " expected a finite number"
        )
    return seal(values)


def _check_free(what: str, added: Mapping[str, FloatArray], taken: Collection[str]) -> None:
    for name in added:
        if name in taken:
            raise InputError(f"the pool already has a {what} named {name!r}; choose another name")


def _appended(features: Features, added: Mapping[str, FloatArray]) -> Features:
    """Return the features with new last columns, explicit in every row."""
    old, width, count = features.flat, features.width, len(added)
    rows = np.arange(len(old), dtype=np.int64)
    sizes = np.diff(old.offsets)
    offsets = old.offsets + count * np.arange(len(old) + 1)
    columns = np.empty(offsets[-1], dtype=np.int32)
    values = np.empty(offsets[-1])
    kept = np.arange(len(old.columns)) + count * np.repeat(rows, sizes)
    columns[kept], values[kept] = old.columns, old.values
    places = (offsets[1:] - count)[:, None] + np.arange(count)
    columns[places] = width + np.arange(count, dtype=np.int32)
    values[places] = np.stack(list(added.values()), axis=1)
    return Features((*old.names, *added), seal(offsets), seal(columns), seal(values))
