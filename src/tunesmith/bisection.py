"""Scales that are found by bisection."""

from __future__ import annotations

import math
from collections.abc import Callable

__all__ = ["scale_at_zero"]

_LARGEST = 30.0
_PRECISION = 1e-3


def scale_at_zero(excess: Callable[[float], float]) -> float | None:
    """Return the scale at which a function that falls as the scale rises is zero; None if it never is.

    By bisection of log(scale) between -30 and 30, to 0.001: some 20 calls.
    """
    low, high = -_LARGEST, _LARGEST
    if excess(math.exp(low)) < 0 or excess(math.exp(high)) > 0:
        return None
    while high - low > _PRECISION:
        middle = (low + high) / 2
        low, high = (middle, high) if excess(math.exp(middle)) > 0 else (low, middle)
    return math.exp((low + high) / 2)
