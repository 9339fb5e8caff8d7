"""The best point on a line: within bounds, penalized, and away from the ends of its interval."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tunesmith.objectives.line_objective import EVERYWHERE, LineRange, Profile
from tunesmith.optimizers.space import Space
from tunesmith.types import FloatArray

__all__ = ["Move", "Spread", "best_step", "range_along"]

Spread = Callable[[FloatArray], FloatArray]
"""Spread of scores within lists at points of the line."""

MARGIN = 0.01
"""Distance of a move from the ends of its interval, where candidates tie, as a fraction of the width."""


@dataclass(frozen=True)
class Move:
    """Go `length` along the direction, to the penalized gain `value`."""

    length: float
    value: float


def best_step(
    profile: Profile,
    weights: FloatArray,
    direction: FloatArray,
    space: Space,
    spread: Spread | None = None,
    within: LineRange = EVERYWHERE,
) -> Move:
    """Return the move to the largest penalized gain; among equals, into the widest interval.

    Without penalties it goes to the middle of the interval. A penalty is convex along the line, so its
    minimum, clipped to an interval, is exactly the best point of that interval. With `spread` the penalty
    is of weights rescaled to unit spread; it is not convex, and the middle of each interval is used.
    """
    low, high = range_along(weights, direction, space)
    low, high = max(low, within[0]), min(high, within[1])
    left, right = _intervals(profile.thresholds, low, high, within)
    width = right - left
    # An interval of a few units in the last place is due to rounding.
    open_ = width > 1e-12 * (np.abs(left) + np.abs(right))
    if not open_.any():
        return Move(0.0, -np.inf)
    lengths, values = 0.5 * (left + right), profile.gains
    if space.penalized and spread is None:
        lowest = _lowest_penalty(weights, direction, space)
        lengths = np.clip(lowest, left + MARGIN * width, right - MARGIN * width)
    if space.penalized:
        values = values - _penalty_along(lengths, weights, direction, space, spread)
    values = np.where(open_, values, -np.inf)
    ties = np.flatnonzero(values == values.max())
    index = int(ties[np.argmax(width[ties])])
    return Move(float(lengths[index]), float(values[index]))


def range_along(weights: FloatArray, direction: FloatArray, space: Space) -> tuple[float, float]:
    """Return how far the bounds allow to go backward and forward along a direction."""
    moving = np.flatnonzero(direction)
    if not len(moving):
        return 0.0, 0.0
    slopes = direction[moving]
    to_lower = (space.lower[moving] - weights[moving]) / slopes
    to_upper = (space.upper[moving] - weights[moving]) / slopes
    return float(np.minimum(to_lower, to_upper).max()), float(np.maximum(to_lower, to_upper).min())


def _intervals(
    thresholds: FloatArray, low: float, high: float, within: LineRange
) -> tuple[FloatArray, FloatArray]:
    """Return the ends of all intervals inside low..high.

    The outermost end with the searched part of the line; on an unlimited line they get a finite width.
    """
    first, last, width = -1.0, 1.0, 0.0
    if len(thresholds):
        first, last = float(thresholds[0]), float(thresholds[-1])
        width = max(0.1 * (last - first), 0.1 * float(np.abs(thresholds).max()), 1e-3)
    first = min(first, within[0]) if np.isfinite(within[0]) else first - width
    last = max(last, within[1]) if np.isfinite(within[1]) else last + width
    ends = np.concatenate([[first], thresholds, [last]])
    return np.clip(ends[:-1], low, high), np.clip(ends[1:], low, high)


def _penalty_along(
    lengths: FloatArray, weights: FloatArray, direction: FloatArray, space: Space, spread: Spread | None
) -> FloatArray:
    """Return the penalty at each point of the line; frozen weights have none."""
    moving = np.flatnonzero(direction)
    still = np.where(space.free, weights, 0.0)
    still[moving] = 0.0
    points = weights[moving] + lengths[:, None] * direction[moving]
    absolute = np.abs(still).sum() + np.abs(points).sum(axis=1)
    squared = still @ still + (points**2).sum(axis=1)
    size = np.ones_like(lengths) if spread is None else spread(lengths)
    penalty: FloatArray = space.l1 * absolute / size + 0.5 * space.l2 * squared / size**2
    return penalty


def _lowest_penalty(weights: FloatArray, direction: FloatArray, space: Space) -> float:
    """Return where the convex penalty along the line is smallest.

    Its derivative l1 * sum |d_i| sign(t - b_i) + l2 * (w.d + t d.d), with b_i = -w_i / d_i, rises:
    the minimum is where it changes sign, at a kink b_i or between two of them.
    """
    moving = np.flatnonzero(direction)
    steep, start = direction[moving], weights[moving]
    order = np.argsort(-start / steep, kind="stable")
    kinks, slopes = (-start / steep)[order], np.abs(steep)[order]
    linear, square = float(start @ steep) * space.l2, float(steep @ steep) * space.l2
    past = np.concatenate([[0.0], np.cumsum(slopes)])
    for index in range(len(kinks) + 1):
        flat = (
            space.l1 * (2 * past[index] - past[-1]) + linear
        )  # derivative left of kink `index`, less its slope
        end = kinks[index] if index < len(kinks) else np.inf
        if square > 0 and -flat / square < end:
            begin = kinks[index - 1] if index else -np.inf
            return float(max(-flat / square, begin))
        if square == 0 and flat >= 0:
            return float(kinks[max(index - 1, 0)])
    return float(kinks[-1])
