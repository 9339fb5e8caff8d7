"""What line search needs of an objective: points, and the exact gain along any line through them."""

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
    """A vector, and how fast the scores of all candidates change along it."""

    vector: FloatArray
    slopes: FloatArray


Direction: TypeAlias = int | FloatArray | PreparedDirection
"""The axis of a feature, or any vector."""

LineRange: TypeAlias = tuple[float, float]
"""A part of a line: from where to where, in lengths of its direction."""

EVERYWHERE: LineRange = (-np.inf, np.inf)


def vector_of(direction: Direction, width: int) -> FloatArray:
    """Return a direction with a number for each feature."""
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
    """A point of an objective, with what was computed there: lines that begin in it share it."""

    gain: float

    @abstractmethod
    def along(self, direction: Direction, within: LineRange = EVERYWHERE) -> Profile:
        """Return the profile along a line that begins here; beyond `within` it may be anything."""

    def moved(self, axis: int, length: float, scale: float = 1.0) -> EvaluatedPoint | None:
        """Return the point `scale * weights` after a step along an axis, but for rounding.

        None if that is no faster than to stand there anew.
        """
        return None


class LineObjective(Objective):
    """loss(w) = -gain of the translations that w ranks first: piecewise constant along any line.

    One objective serves searches from several starts, on several threads, at once.
    """

    metric: Metric

    @property
    @abstractmethod
    def lists(self) -> Pool:
        """Candidates that tell which directions are worth a search."""

    @abstractmethod
    def evaluate(self, weights: FloatArray) -> EvaluatedPoint:
        """Return the point of these weights, which are not all zero."""

    def prepare_directions(self, vectors: Sequence[FloatArray]) -> Sequence[Direction]:
        """Return directions with what all lines along them share, where that is worth keeping."""
        return vectors

    def geometry(self, free: BoolArray) -> Geometry:
        """Return the shape of the lists in the free features; measured once."""
        key = free.tobytes()
        if key not in self._geometries:
            with one_blas_thread():
                self._geometries[key] = Geometry.of(self.lists, self.metric, free)
        return self._geometries[key]

    @cached_property
    def _geometries(self) -> dict[bytes, Geometry]:
        return {}

    def prepare(self) -> None:
        """Build what searches share, before threads ask for it."""
