"""Weights of sentence pairs in extraction: each of their phrases and links counts that much."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from tunesmith.errors import InputError
from tunesmith.files import PathLike, read_lines
from tunesmith.types import FloatArray, IntArray

__all__ = ["LARGEST_WEIGHT", "SMALLEST_WEIGHT", "WEIGHT_UNIT", "counted_weights", "read_instance_weights"]

WEIGHT_UNIT = 1 << 24
"""Fractional weights are sums of multiples of 1 / WEIGHT_UNIT: sums of integers do not depend on threads."""
SMALLEST_WEIGHT, LARGEST_WEIGHT = 1e-4, 1e4


def counted_weights(weights: npt.ArrayLike | None, pairs: int) -> tuple[IntArray, int]:
    """Return the weight of each sentence pair as an integer, and the integer that stands for 1.

    Without weights, or if all are 1, an empty array. Whole weights are exact: 2 counts as a pair that occurs
    twice. Others are rounded to 1 / `WEIGHT_UNIT`. An InputError has the line of the first invalid weight.
    """
    if weights is None:
        return np.zeros(0, dtype=np.int64), 1
    given = np.asarray(weights, dtype=np.float64)
    if given.ndim != 1:
        raise InputError(f"expected a list of weights, found an array of shape {given.shape}")
    if len(given) != pairs:
        raise InputError(
            f"expected a weight for each of {pairs} sentence pairs, found {len(given)}",
            line=min(len(given), pairs) + 1,
        )
    wrong = np.flatnonzero(~((given >= SMALLEST_WEIGHT) & (given <= LARGEST_WEIGHT)))
    if len(wrong):
        raise InputError(
            f"expected a weight from {SMALLEST_WEIGHT:g} to {LARGEST_WEIGHT:g}, found {given[wrong[0]]:g}",
            line=int(wrong[0]) + 1,
        )
    if (given == 1).all():
        return np.zeros(0, dtype=np.int64), 1
    unit = 1 if (given == np.rint(given)).all() else WEIGHT_UNIT
    return np.rint(given * unit).astype(np.int64), unit


def read_instance_weights(path: PathLike) -> FloatArray:
    """Read one weight per line, one line per sentence pair, as for Moses' `--InstanceWeights`."""
    lines = read_lines(path)
    values = np.empty(len(lines))
    for number, line in enumerate(lines):
        try:
            values[number] = float(line)
        except ValueError:
            values[number] = math.nan
        if not values[number] > 0:
            raise InputError(
                f"expected a positive weight such as 0.5, found {line[:40]!r}", path=path, line=number + 1
            )
    return values
