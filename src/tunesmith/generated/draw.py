"""Random draws: streams that depend on seed, sentence and purpose only, and weighted choices."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable
from itertools import accumulate
from random import Random
from typing import Generic, TypeAlias, TypeVar

from tunesmith.errors import OptionError

__all__ = ["Choice", "Draw", "stream", "weighted", "zipf"]

T = TypeVar("T")

Draw: TypeAlias = Callable[[], float]
"""Returns a number from 0 to 1, 1 not included."""


def stream(seed: int, index: int, purpose: int) -> Draw:
    """Return a draw that is a function of its arguments, the same for any number of sentences and processes.

    `random()` of a seeded Mersenne Twister is the one sequence that Python promises never to change.
    """
    return Random((seed << 72) | (index << 8) | purpose).random


class Choice(Generic[T]):
    """A weighted choice: entry i with probability w_i / sum(w)."""

    __slots__ = ("_bounds", "_total", "entries")

    def __init__(self, weighted: Iterable[tuple[T, float]]) -> None:
        pairs = list(weighted)
        if not pairs or any(weight <= 0 for _, weight in pairs):
            raise OptionError(f"a choice needs entries of positive weight, found {pairs!r}")
        self.entries = tuple(entry for entry, _ in pairs)
        self._bounds = list(accumulate(weight for _, weight in pairs))
        self._total = self._bounds.pop()

    def __call__(self, draw: Draw) -> T:
        return self.entries[bisect(self._bounds, draw() * self._total)]


def zipf(entries: Iterable[T], shift: float = 1.0) -> list[tuple[T, float]]:
    """Weight entries by rank: 1 / (rank + shift), ranks from 1 in the order given."""
    return [(entry, 1.0 / (rank + shift)) for rank, entry in enumerate(entries, 1)]


def weighted(text: str) -> Choice[str]:
    """Read a choice: `apple 3; pear 1`."""
    return Choice((name, float(weight)) for name, weight in (row.rsplit(" ", 1) for row in text.split("; ")))
