"""Random draws: streams that depend on seed, sentence and purpose only, and weighted choices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Generic, TypeAlias, TypeVar

from tunesmith.errors import OptionError

__all__ = ["Choice", "Draw", "Stream", "zipf"]

T = TypeVar("T")

Draw: TypeAlias = Callable[[], float]
"""Returns a number from 0 to 1, 1 not included."""

SLOTS = 4096


class Stream:
    """A generator that is reseeded for each sentence and purpose.

    The state is a function of (seed, index, purpose), so that a sentence is the same for any number of
    sentences, order and process. `random()` of a seeded Mersenne Twister is the one
    sequence that Python promises never to change.
    """

    __slots__ = ("_generator", "random")

    def __init__(self) -> None:
        self._generator = Random(0)
        self.random: Draw = self._generator.random

    def start(self, seed: int, index: int, purpose: int) -> Draw:
        """Set the stream and return its draw."""
        self._generator.seed((seed << 72) | (index << 8) | purpose)
        return self.random


class Choice(Generic[T]):
    """A weighted choice as a table of slots: one multiplication and one look-up a draw.

    Entry i gets about `SLOTS * w_i / sum(w)` slots by largest remainder, and at least one.
    """

    __slots__ = ("_size", "_slots", "entries")

    def __init__(self, weighted: Iterable[tuple[T, float]]) -> None:
        pairs = list(weighted)
        if not pairs or any(weight <= 0 for _, weight in pairs):
            raise OptionError(f"a choice needs entries of positive weight, found {pairs!r}")
        self.entries: Sequence[T] = tuple(entry for entry, _ in pairs)
        self._slots: list[T] = []
        total = sum(weight for _, weight in pairs)
        shares = [SLOTS * weight / total for _, weight in pairs]
        counts = [max(1, int(share)) for share in shares]
        by_remainder = sorted(range(len(pairs)), key=lambda i: int(shares[i]) - shares[i])
        for i in by_remainder[: max(0, SLOTS - sum(counts))]:
            counts[i] += 1
        if len(pairs) == 1:
            counts = [1]
        for (entry, _), count in zip(pairs, counts, strict=True):
            self._slots += [entry] * count
        self._size = len(self._slots)

    def __call__(self, draw: Draw) -> T:
        return self._slots[int(draw() * self._size)]

    def probability(self, entry: T) -> float:
        """Return the probability with which an entry is drawn."""
        return self._slots.count(entry) / self._size


def zipf(entries: Iterable[T], shift: float = 1.0) -> list[tuple[T, float]]:
    """Weight entries by rank: 1 / (rank + shift), ranks from 1 in the order given."""
    return [(entry, 1.0 / (rank + shift)) for rank, entry in enumerate(entries, 1)]
