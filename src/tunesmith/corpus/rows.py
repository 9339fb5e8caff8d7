"""Row selections as arguments of `take`."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tunesmith.errors import InputError
from tunesmith.types import IntArray

__all__ = ["chosen_rows"]


def chosen_rows(rows: npt.ArrayLike, size: int) -> IntArray:
    """Return rows as numbers from 0 to size - 1; an array of booleans is a mask, one value per row."""
    given = np.asarray(rows)
    if given.dtype == np.bool_:
        if given.shape != (size,):
            raise InputError(f"found a mask of shape {given.shape} for {size} rows; expected a value per row")
        return np.flatnonzero(given)
    if given.ndim != 1 or (given.size and given.dtype.kind not in "iu"):
        raise InputError(f"found rows of shape {given.shape} and type {given.dtype}; expected whole numbers")
    if given.size and not (given.min() >= 0 and given.max() < size):
        raise InputError(f"there are {size} rows; row {_outside(given, size)} is outside of them")
    return given.astype(np.int64)


def _outside(rows: npt.NDArray[np.int64], size: int) -> int:
    return int(rows[(rows < 0) | (rows >= size)][0])
