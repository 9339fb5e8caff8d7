"""The rows of several feature matrices as one, read from where they lie."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from tunesmith import _native
from tunesmith.candidates.features import Features
from tunesmith.errors import InputError
from tunesmith.immutable import seal
from tunesmith.types import FloatArray, IntArray

__all__ = ["LayeredFeatures"]


class LayeredFeatures(Features):
    """Row i is row `rows[i]` of matrices laid one after another, whose columns are the first of `names`.

    Scoring and taking rows need nothing but the layers, which may be mapped files. Whoever asks for the
    arrays of one matrix gets them, in memory, made once.
    """

    layers: tuple[Features, ...]
    rows: IntArray

    def __init__(self, names: tuple[str, ...], layers: tuple[Features, ...], rows: IntArray) -> None:
        for layer in layers:
            if layer.names != names[: layer.width]:
                raise InputError("the features of a layer are not the first ones of all")
        vars(self).update(names=names, layers=layers, rows=seal(rows))  # the base class is frozen

    def __len__(self) -> int:
        return len(self.rows)

    def dot(self, weights: FloatArray, threads: int | None = None) -> FloatArray:
        self.check_weights(weights)
        scores = [layer.dot(weights[: layer.width], threads) for layer in self.layers]
        return np.concatenate(scores)[self.rows]

    def take(self, rows: npt.ArrayLike) -> Features:
        chosen = np.ascontiguousarray(self.rows[np.asarray(rows, dtype=np.int64)])
        offsets, columns, values = _native.take_rows([layer.arrays for layer in self.layers], chosen)
        return Features(self.names, seal(offsets), seal(columns), values)

    @cached_property
    def flat(self) -> Features:
        """All rows in one matrix."""
        return self.take(np.arange(len(self), dtype=np.int64))

    @property
    def offsets(self) -> IntArray:
        return self.flat.offsets

    @property
    def columns(self) -> npt.NDArray[np.int32]:
        return self.flat.columns

    @property
    def values(self) -> FloatArray:
        return self.flat.values
