"""What line search needs of an objective: points, and the exact gain along any line through them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from tunesmith.objectives.base import Objective
from tunesmith.objectives.geometry import Geometry
from tunesmith.types import BoolArray, FloatArray

__all__ = ["EVERYWHERE", "Direction", "LineObjective", "Profile", "Standing", "Stretch"]

Direction: TypeAlias = int | FloatArray
"""The axis of a feature, or any vector."""

Stretch: TypeAlias = tuple[float, float]
"""A part of a line: from where to where, in lengths of its direction."""

EVERYWHERE: Stretch = (-np.inf, np.inf)


@dataclass(frozen=True, eq=False)
class Profile:
    """The gain along a line: `gains[i]` between `thresholds[i - 1]` and `thresholds[i]`."""

    thresholds: FloatArray
    gains: FloatArray


@dataclass(frozen=True, eq=False)
class Standing(ABC):
    """A point of an objective, with what was computed there: lines that begin in it share it."""

    gain: float

    @abstractmethod
    def along(self, direction: Direction, within: Stretch = EVERYWHERE) -> Profile:
        """Return the profile along a line that begins here; beyond `within` it may be anything."""


class LineObjective(Objective):
    """loss(w) = -gain of the translations that w ranks first: piecewise constant along any line.

    One objective serves searches from several starts, on several threads, at once.
    """

    @abstractmethod
    def stand(self, weights: FloatArray) -> Standing:
        """Return the point of these weights, which are not all zero."""

    @abstractmethod
    def geometry(self, free: BoolArray) -> Geometry:
        """Return the shape of the data in the free features; measured once."""

    def prepare(self) -> None:
        """Build what searches share, before threads ask for it."""
