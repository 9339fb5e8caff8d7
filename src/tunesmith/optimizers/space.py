"""The space of weights that an optimizer may visit: start, bounds, frozen features, penalties."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from tunesmith.errors import InputError, OptionError, suggest
from tunesmith.types import BoolArray, FloatArray
from tunesmith.weights.name_patterns import name_matcher

__all__ = ["Range", "Space", "check_penalties"]

Range = tuple[float | None, float | None]
"""The lower and the upper bound of a weight; None: unbounded."""

LARGEST_START = 1e100
"""The largest size of a start weight: with larger ones, products and squares of scores could overflow."""


@dataclass(frozen=True, eq=False)
class Space:
    """Weights w with lower <= w <= upper, w = start where not free, and a penalty.

    penalty(w) = l1 * |w|_1 + l2 / 2 * |w|_2^2 over the free weights. Most objectives are means over
    lists; `build` divides the strengths by the number of lists, so that l2 = 1 is a unit Gaussian
    prior on a likelihood summed over lists. Methods whose loss is not a mean may pass 1 (see
    `Method.penalty_divisor`).
    """

    start: FloatArray
    lower: FloatArray
    upper: FloatArray
    free: BoolArray
    l1: float = 0.0
    l2: float = 0.0

    @classmethod
    def build(
        cls,
        names: Sequence[str],
        lists: int = 1,
        *,
        start: Mapping[str, float] | FloatArray | None = None,
        bounds: Mapping[str, Range] | None = None,
        frozen: Iterable[str] = (),
        l1: float = 0.0,
        l2: float = 0.0,
    ) -> Space:
        """Build a space; `bounds` and `frozen` take names or patterns such as `LM*`.

        The bounds of a name win over those of patterns that match it; of patterns the last one wins.
        A start outside the bounds, a pattern that matches nothing and a negative strength are errors.
        """
        check_penalties(l1, l2)
        values = _start(names, start)
        lower, upper = _bounds(names, bounds or {})
        free = np.ones(len(names), dtype=np.bool_)
        for pattern in frozen:
            free[_matching(names, pattern, "frozen")] = False
        outside = np.flatnonzero((values < lower) | (values > upper))
        for index in [] if start is None else outside.tolist():
            if isinstance(start, Mapping) and names[index] not in start:
                continue  # it starts at the bound nearest to zero
            allowed = f"{lower[index]}..{upper[index]}"
            raise OptionError(f"the start weight {values[index]} of {names[index]!r} is outside {allowed}")
        if not free.any():
            raise OptionError("all features are frozen: nothing is left to tune")
        return cls(np.clip(values, lower, upper), lower, upper, free, l1 / lists, l2 / lists)

    @property
    def width(self) -> int:
        """The number of features."""
        return len(self.start)

    @cached_property
    def bounded(self) -> bool:
        """Whether a bound other than zero limits the size of the free weights."""
        bounds = np.concatenate([self.lower[self.free], self.upper[self.free]])
        return bool(np.any(np.isfinite(bounds) & (bounds != 0)))

    @property
    def held(self) -> FloatArray:
        """The frozen weights, and 0 for free ones."""
        return np.where(self.free, 0.0, self.start)

    @cached_property
    def holds_weights(self) -> bool:
        """Whether a frozen weight is not zero."""
        return bool(np.any(self.held))

    @property
    def anchored(self) -> bool:
        """Whether a bound or a frozen weight may fix the size of the free weights."""
        return self.bounded or self.holds_weights

    @property
    def penalized(self) -> bool:
        """Whether there is a penalty."""
        return self.l1 > 0 or self.l2 > 0

    def project(self, weights: FloatArray) -> FloatArray:
        """Return the nearest weights inside the space."""
        return np.where(self.free, np.clip(weights, self.lower, self.upper), self.start)

    def scaled(self, factor: float) -> Space:
        """Return the space of weights times a positive factor; penalties are the same."""
        start, lower, upper = (factor * each for each in (self.start, self.lower, self.upper))
        return replace(self, start=start, lower=lower, upper=upper)

    def penalty(self, weights: FloatArray) -> float:
        """Return l1 * |w|_1 + l2 / 2 * |w|_2^2 over the free weights."""
        free = weights[self.free]
        return float(self.l1 * np.abs(free).sum() + 0.5 * self.l2 * (free @ free))


def check_penalties(l1: float, l2: float) -> None:
    """Raise OptionError unless both strengths are finite numbers of at least 0."""
    for name, strength in {"l1": l1, "l2": l2}.items():
        if not (strength >= 0 and np.isfinite(strength)):
            raise OptionError("{} must be a number of at least 0, not {found}", name, found=strength)


def _start(names: Sequence[str], start: Mapping[str, float] | FloatArray | None) -> FloatArray:
    if start is None:
        return np.zeros(len(names))
    if isinstance(start, Mapping):
        known = set(names)
        for name in start:
            if name not in known:
                raise InputError(f"unknown feature {name!r} in the start weights{suggest(name, known)}")
        values = np.array([start.get(name, 0.0) for name in names], dtype=np.float64)
    else:
        values = np.array(start, dtype=np.float64)
    if values.shape != (len(names),):
        raise InputError(f"expected {len(names)} start weights, found an array of shape {values.shape}")
    if not np.isfinite(values).all():
        raise InputError(f"the start weight of {names[int(np.argmin(np.isfinite(values)))]!r} is not finite")
    if len(values) and np.abs(values).max() > LARGEST_START:
        largest = int(np.argmax(np.abs(values)))
        raise InputError(
            f"the start weight {values[largest]} of {names[largest]!r} is too large: scores would overflow;"
            f" expected at most {LARGEST_START:g}"
        )
    return values


def _bounds(names: Sequence[str], bounds: Mapping[str, Range]) -> tuple[FloatArray, FloatArray]:
    """Return the lower and upper bounds; patterns are applied first, so that names win."""
    lower, upper = np.full(len(names), -np.inf), np.full(len(names), np.inf)
    ranges = {pattern: _range(pattern, pair) for pattern, pair in bounds.items()}
    for pattern, (low, high) in ranges.items():
        matching = _matching(names, pattern, "bounds")
        lower[matching], upper[matching] = low, high
    for index, name in enumerate(names):
        if name in ranges:
            lower[index], upper[index] = ranges[name]
    return lower, upper


def _range(pattern: str, pair: Range) -> tuple[float, float]:
    try:
        low = -np.inf if pair[0] is None else float(pair[0])
        high = np.inf if pair[1] is None else float(pair[1])
    except (TypeError, ValueError, IndexError):
        raise OptionError(f"bounds of {pattern!r}: expected a pair (low, high), found {pair!r}") from None
    if not low <= high:
        raise OptionError(f"bounds of {pattern!r}: {low} to {high} is an empty range")
    return low, high


def _matching(names: Sequence[str], pattern: str, what: str) -> list[int]:
    matches = name_matcher([pattern])
    found = [index for index, name in enumerate(names) if matches(name)]
    if not found:
        raise OptionError(f"{what}: no feature matches {pattern!r}{suggest(pattern, names)}")
    return found
