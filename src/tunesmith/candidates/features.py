"""The feature matrix of a pool: compressed sparse rows (CSR), and a name for every column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.immutable import read_only, seal, unshared
from tunesmith.threads import thread_count
from tunesmith.types import BoolArray, FloatArray, IntArray

__all__ = ["Features", "MatrixArrays", "check_finite_scores"]

MatrixArrays: TypeAlias = tuple[IntArray, npt.NDArray[np.int32], FloatArray]
"""(offsets, columns, values) of compressed rows, as native code takes them."""


@dataclass(frozen=True, eq=False)
class Features:
    """Row i has `values[k]` in column `columns[k]` for k from `offsets[i]` to `offsets[i + 1]`.

    Columns increase within a row. The arrays are checked once, here, so that native loops need not: all
    are read-only, and `offsets` and `columns` are copied if writable.
    """

    names: tuple[str, ...]
    offsets: IntArray
    columns: npt.NDArray[np.int32]
    values: FloatArray

    def __post_init__(self) -> None:
        if len(set(self.names)) != len(self.names):
            seen: set[str] = set()
            twice = next(name for name in self.names if name in seen or seen.add(name))  # type: ignore[func-returns-value]
            raise InputError(f"two features are named {twice!r}")
        object.__setattr__(self, "offsets", unshared(self.offsets))
        object.__setattr__(self, "columns", unshared(self.columns))
        object.__setattr__(self, "values", read_only(self.values))
        _native.check_csr(self.offsets, self.columns, self.values, len(self.names))

    def __reduce__(self) -> tuple[object, ...]:
        return (Features, (self.names, self.offsets, self.columns, self.values))

    @classmethod
    def from_dense(cls, matrix: npt.ArrayLike, names: Sequence[str] | None = None) -> Features:
        """Build from a dense matrix [candidates, features]; zeros become explicit entries."""
        dense = np.asarray(matrix, dtype=np.float64)
        if dense.ndim != 2:
            raise InputError(
                f"expected a matrix [candidates, features], found an array of shape {dense.shape}"
            )
        rows, width = dense.shape
        return cls(
            tuple(names) if names is not None else default_names(width),
            seal(np.arange(rows + 1, dtype=np.int64) * width),
            seal(np.tile(np.arange(width, dtype=np.int32), rows)),
            np.ascontiguousarray(dense).reshape(-1),
        )

    @classmethod
    def from_scipy(cls, matrix: Any, names: Sequence[str] | None = None) -> Features:
        """Copy a scipy sparse matrix; repeated entries are summed.

        A copy is needed because methods of the matrix, such as `eliminate_zeros`, work in place.
        """
        csr = matrix.tocsr()
        if csr is matrix:
            csr = csr.copy()
        csr.sum_duplicates()
        return cls(
            tuple(names) if names is not None else default_names(csr.shape[1]),
            seal(np.ascontiguousarray(csr.indptr, dtype=np.int64)),
            seal(np.ascontiguousarray(csr.indices, dtype=np.int32)),
            np.ascontiguousarray(csr.data, dtype=np.float64),
        )

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def flat(self) -> Features:
        """All rows as one matrix: self."""
        return self

    @property
    def arrays(self) -> MatrixArrays:
        """The three arrays."""
        return self.offsets, self.columns, self.values

    @property
    def width(self) -> int:
        """The number of features."""
        return len(self.names)

    @cached_property
    def dense(self) -> BoolArray:
        """Mask of the features that every candidate has; the others are sparse: absent means zero."""
        counts = np.bincount(self.columns, minlength=self.width)
        return seal(np.equal(counts, len(self)))

    def dot(self, weights: FloatArray, threads: int | None = None) -> FloatArray:
        """Return the model score of every candidate; a non-finite score is an InputError."""
        self.check_weights(weights)
        vector = np.ascontiguousarray(weights, dtype=np.float64)
        scores = _native.multiply(self.offsets, self.columns, self.values, vector, thread_count(threads))
        check_finite_scores(scores)
        return scores

    def dots(self, weights: FloatArray, threads: int | None = None) -> FloatArray:
        """Return the scores of every candidate under several weights [vectors, features], one row each.

        Bit-identical to `dot` of each, and faster: entries are read once per eight vectors.
        """
        for vector in weights:
            self.check_weights(vector)
        matrix = np.ascontiguousarray(weights, dtype=np.float64)
        scores = _native.multiply_many(*self.arrays, matrix, thread_count(threads))
        scores = scores.reshape(len(matrix), len(self))
        for found in scores:
            check_finite_scores(found)
        return scores

    def check_weights(self, weights: FloatArray) -> None:
        """Raise unless there is one weight per feature."""
        if np.shape(weights) != (self.width,):
            raise InputError(f"expected {self.width} weights, found an array of shape {np.shape(weights)}")

    def take(self, rows: npt.ArrayLike) -> Features:
        """Return the chosen rows, in the given order."""
        chosen = np.ascontiguousarray(rows, dtype=np.int64)
        offsets, columns, values = _native.take_rows([self.arrays], chosen)
        return Features(self.names, seal(offsets), seal(columns), values)

    def renumbered(self, names: tuple[str, ...], filled: int = 0) -> Features:
        """Return the features in the columns `names`; the first `filled` are explicit in every row.

        A feature with values that is not in `names` is an InputError.
        """
        if names == self.names and not filled:
            return self.flat
        numbers = {name: number for number, name in enumerate(names)}
        columns = np.array([numbers.get(name, -1) for name in self.names], dtype=np.int32)
        is_used = np.bincount(self.columns, minlength=self.width) > 0
        if lost := np.flatnonzero(is_used & (columns < 0)).tolist():
            raise InputError(f"feature {self.names[lost[0]]!r} has values, but no column among the new ones")
        offsets, found, values = _native.renumber(self.arrays, columns, filled)
        return Features(names, seal(offsets), seal(found), values)

    def to_dense(self) -> FloatArray:
        """Return the whole matrix; only for small ones."""
        matrix = np.zeros((len(self), self.width))
        matrix[np.repeat(np.arange(len(self)), np.diff(self.offsets)), self.columns] = self.values
        return matrix


def check_finite_scores(scores: FloatArray) -> None:
    """Raise InputError if a model score is infinite or NaN: there would be no maximum."""
    finite = np.isfinite(scores)
    if not finite.all():
        row = int(np.argmin(finite))
        raise InputError(
            f"the model score of candidate {row} is {scores[row]};"
            " expected a finite number: use smaller weights or features"
        )


def default_names(width: int) -> tuple[str, ...]:
    """Return f0, f1, ... for features that came without names."""
    return tuple(f"f{index}" for index in range(width))
