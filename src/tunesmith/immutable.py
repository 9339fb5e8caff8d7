"""Read-only arrays: pools are immutable, and native loops rely on data checked once."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

__all__ = ["read_only", "seal", "unshared"]

Array = TypeVar("Array", bound=npt.NDArray[Any])


def read_only(array: Array) -> Array:
    """Return a read-only view; the array itself stays as writable as it was."""
    view: Array = np.asarray(array).view()  # type: ignore[assignment]
    view.flags.writeable = False
    return view


def seal(array: Array) -> Array:
    """Make an array read-only in place and return it; only for a new array that nothing else refers to."""
    array.flags.writeable = False
    return array


def unshared(array: Array) -> Array:
    """Return a read-only copy of a writable array, or the array itself if it is read-only."""
    given: Array = np.asarray(array)  # type: ignore[assignment]
    return seal(given.copy()) if given.flags.writeable else given
