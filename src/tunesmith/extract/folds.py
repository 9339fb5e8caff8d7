"""Fold numbers of sentence pairs: what jackknifing leaves out together."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tunesmith.errors import InputError
from tunesmith.types import Int32Array

__all__ = ["fold_numbers"]


def fold_numbers(folds: npt.ArrayLike | None, pairs: int) -> Int32Array:
    """Return the fold of each sentence pair; without folds an empty array, which means fold 0 for all."""
    if folds is None:
        return np.zeros(0, dtype=np.int32)
    given = np.asarray(folds)
    if given.shape != (pairs,):
        raise InputError(f"expected a fold number for each of {pairs} sentence pairs, found {given.shape}")
    if not np.issubdtype(given.dtype, np.integer):
        raise InputError(f"fold numbers are whole numbers, not {given.dtype}")
    if pairs and (given.min() < 0 or given.max() > np.iinfo(np.int32).max):
        raise InputError("fold numbers count from 0")
    return np.ascontiguousarray(given, dtype=np.int32)
