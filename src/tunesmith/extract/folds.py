"""Fold numbers of sentence pairs: what jackknifing leaves out together."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tunesmith.errors import InputError
from tunesmith.files import PathLike, read_lines
from tunesmith.types import Int32Array

__all__ = ["fold_numbers", "read_folds"]


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


def read_folds(path: PathLike) -> Int32Array:
    """Read a fold number a line, a line a sentence pair."""
    lines = read_lines(path)
    for number, line in enumerate(lines, 1):
        if not (line.isascii() and line.isdigit() and len(line) < 10):
            raise InputError(f"expected a fold number such as 0, found {line[:40]!r}", path=path, line=number)
    return np.array([int(line) for line in lines], dtype=np.int32)
