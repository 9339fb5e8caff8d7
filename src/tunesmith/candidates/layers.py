"""The rows of several feature matrices as one matrix, without copying."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tunesmith import _native
from tunesmith.candidates.features import Features, MatrixArrays, check_finite_scores
from tunesmith.errors import InputError
from tunesmith.immutable import seal, unshared
from tunesmith.threads import thread_count
from tunesmith.types import FloatArray, IntArray

__all__ = ["Layer", "LayeredFeatures"]


@dataclass(frozen=True, eq=False)
class Layer:
    """A feature matrix without names; its columns are the first `width` of the union's."""

    arrays: MatrixArrays
    width: int

    def __len__(self) -> int:
        return len(self.arrays[0]) - 1

    def release(self) -> None:
        """Let the system have the pages of a mapped file, until they are read again."""
        _native.release_pages(self.arrays[2])


class LayeredFeatures(Features):
    """Row i is row `rows[i]` of the concatenated layers.

    Scoring and taking rows read the layers directly, which may be mapped files. Access to the arrays of
    one matrix builds it in memory, once; everything uses it from then on.
    """

    layers: tuple[Layer, ...]
    rows: IntArray

    def __init__(self, names: tuple[str, ...], layers: tuple[Layer, ...], rows: IntArray) -> None:
        if max((layer.width for layer in layers), default=0) > len(names):
            raise InputError(f"a layer has more than {len(names)} features")
        vars(self).update(names=names, layers=layers, rows=unshared(rows))  # the base class is frozen

    def __repr__(self) -> str:
        return f"<{len(self)} rows of {len(self.layers)} layers, {self.width} features>"

    def __len__(self) -> int:
        return len(self.rows)

    def dot(self, weights: FloatArray, threads: int | None = None) -> FloatArray:
        if self._is_flat:
            return self.flat.dot(weights, threads)
        self.check_weights(weights)
        vector, cores = np.ascontiguousarray(weights, dtype=np.float64), thread_count(threads)
        scores = [_native.multiply(*layer.arrays, vector[: layer.width], cores) for layer in self.layers]
        chosen = np.concatenate(scores)[self.rows]
        check_finite_scores(chosen)
        return chosen

    def take(self, rows: npt.ArrayLike) -> Features:
        if self._is_flat:
            return self.flat.take(rows)
        chosen = np.asarray(rows, dtype=np.int64)
        if outside := chosen[(chosen < 0) | (chosen >= len(self))].tolist():
            raise InputError(f"row {outside[0]} is outside 0..{len(self)}")
        return self._taken(self.rows[chosen])

    @property
    def _is_flat(self) -> bool:
        return "flat" in vars(self)

    @cached_property
    def flat(self) -> Features:
        """All rows as one matrix; from then on mapped layers take no memory."""
        found = self._taken(self.rows)
        for layer in self.layers:
            layer.release()
        return found

    def _taken(self, rows: IntArray) -> Features:
        arrays = _native.take_rows([layer.arrays for layer in self.layers], np.ascontiguousarray(rows))
        offsets, columns, values = arrays
        return Features(self.names, seal(offsets), seal(columns), values)

    @property
    def offsets(self) -> IntArray:
        return self.flat.offsets

    @property
    def columns(self) -> npt.NDArray[np.int32]:
        return self.flat.columns

    @property
    def values(self) -> FloatArray:
        return self.flat.values
