"""The interface of objectives for line search: evaluated points, and the exact gain along any line."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from tunesmith.candidates.pool import Pool
from tunesmith.metrics.base import Metric
from tunesmith.objectives.base import Objective
from tunesmith.objectives.geometry import Geometry
from tunesmith.threads import one_blas_thread
from tunesmith.types import BoolArray, FloatArray

__all__ = [
    "EVERYWHERE",
    "Direction",
    "EvaluatedPoint",
    "LineObjective",
    "LineRange",
    "PreparedDirection",
    "Profile",
    "vector_of",
]


@dataclass(frozen=True, eq=False)
class PreparedDirection:
    """A vector with its slopes: the derivative of each candidate's score along it."""

    vector: FloatArray
    slopes: FloatArray


Direction: TypeAlias = int | FloatArray | PreparedDirection
"""The axis of a feature (its number), or any vector."""

LineRange: TypeAlias = tuple[float, float]
"""Begin and end of a part of a line, in multiples of its direction."""

EVERYWHERE: LineRange = (-np.inf, np.inf)


def vector_of(direction: Direction, width: int) -> FloatArray:
    """Return a direction as a vector with one number per feature."""
    if isinstance(direction, PreparedDirection):
        return direction.vector
    if not isinstance(direction, int):
        return np.ascontiguousarray(direction, dtype=np.float64)
    axis = np.zeros(width)
    axis[direction] = 1.0
    return axis


@dataclass(frozen=True, eq=False)
class Profile:
    """The gain along a line: `gains[i]` between `thresholds[i - 1]` and `thresholds[i]`."""

    thresholds: FloatArray
    gains: FloatArray


@dataclass(frozen=True, eq=False)
class EvaluatedPoint(ABC):
    """An evaluated weight vector, with model scores cached so that all line searches from it reuse them."""

    gain: float

    @abstractmethod
    def along(self, direction: Direction, within: LineRange = EVERYWHERE) -> Profile:
        """Return the profile along a line from here; undefined outside `within`."""

    def moved(self, axis: int, length: float, scale: float = 1.0) -> EvaluatedPoint | None:
        """Return the point `scale * weights` after a move along an axis, up to rounding.

        None if that is no faster than `evaluate`.
        """
        return None


class LineObjective(Objective):
    """loss(w) = -gain of the translations that w ranks first: piecewise constant along any line.

    One objective serves concurrent searches from several starts, on several threads.
    """

    metric: Metric

    @property
    @abstractmethod
    def lists(self) -> Pool:
        """Candidates whose geometry determines search directions."""

    @abstractmethod
    def evaluate(self, weights: FloatArray) -> EvaluatedPoint:
        """Return the evaluated point of weights that are not all zero."""

    def prepare_directions(self, vectors: Sequence[FloatArray]) -> Sequence[Direction]:
        """Return directions with cached slopes, if the objective can reuse them."""
        return vectors

    def geometry(self, free: BoolArray) -> Geometry:
        """Return the geometry of the free features; cached."""
        key = free.tobytes()
        if key not in self._geometries:
            with one_blas_thread():
                self._geometries[key] = Geometry.of(self.lists, self.metric, free)
        return self._geometries[key]

    @cached_property
    def _geometries(self) -> dict[bytes, Geometry]:
        return {}

    def prepare(self) -> None:
        """Build shared data before threads use it."""
