"""Fold numbers of sentence pairs, for jackknifing."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tunesmith.errors import InputError, OptionError
from tunesmith.files import PathLike, read_lines
from tunesmith.options import check_option
from tunesmith.types import BoolArray, Int32Array

__all__ = ["MOST_FOLDS", "check_excluded", "fold_mask", "fold_numbers", "read_folds"]

MOST_FOLDS = 1 << 14
"""Phrase counts store the fold in 14 bits."""


def fold_numbers(folds: npt.ArrayLike | None, pairs: int) -> Int32Array:
    """Return the fold of each sentence pair; without folds an empty array, which means fold 0 for all.

    An InputError has the line of the first invalid number, or where numbers or pairs are missing.
    """
    if folds is None:
        return np.zeros(0, dtype=np.int32)
    given = np.asarray(folds)
    if given.ndim != 1:
        raise InputError(f"expected a list of fold numbers, found an array of shape {given.shape}")
    if len(given) != pairs:
        raise InputError(
            f"expected a fold number for each of {pairs} sentence pairs, found {len(given)}",
            line=min(len(given), pairs) + 1,
        )
    if pairs and not np.issubdtype(given.dtype, np.integer):
        raise InputError(f"fold numbers must be whole numbers, not {given.dtype}")
    wrong = np.flatnonzero((given < 0) | (given >= MOST_FOLDS))
    if len(wrong):
        raise InputError(
            f"expected a fold number from 0 to {MOST_FOLDS - 1}, found {given[wrong[0]]}",
            line=int(wrong[0]) + 1,
        )
    return np.ascontiguousarray(given, dtype=np.int32)


def check_excluded(fold: int | None, folds: int) -> None:
    """Raise OptionError unless the fold is None or below `folds`."""
    check_option("folds", "exclude_fold", int | None, fold)
    if fold is not None and not 0 <= fold < folds:
        raise OptionError(f"there is no fold {fold} among {folds} folds")


def read_folds(path: PathLike) -> Int32Array:
    """Read one fold number per line, one line per sentence pair."""
    lines = read_lines(path)
    for number, line in enumerate(lines, 1):
        if not (line.isascii() and line.isdigit() and len(line) < 10):
            raise InputError(f"expected a fold number such as 0, found {line[:40]!r}", path=path, line=number)
    return np.array([int(line) for line in lines], dtype=np.int32)


def fold_mask(path: PathLike, fold: int, pairs: int) -> BoolArray:
    """Read one fold number per sentence pair; return a mask of the pairs in the fold."""
    numbers = read_folds(path)
    if len(numbers) != pairs:
        raise InputError(f"has {len(numbers)} fold numbers for an index of {pairs} pairs", path=path)
    if not (numbers == fold).any():
        raise OptionError(f"no sentence pair is in fold {fold}; folds are 0 to {numbers.max(initial=0)}")
    return np.asarray(numbers == fold)
