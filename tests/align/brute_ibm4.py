"""IBM model 4 by its definition, in plain Python, for one sentence pair and one direction."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from tests.align.brute_force import CLASSES, jump_class

HEADS = 2 * CLASSES - 1
FERTILITIES = 10
SHARE = 1e-6
"""A word moves only to positions with this share of its best translation probability."""
PRIOR = 4.0
BANDS = (1,) * 11 + (5, 10, 25, 50)

Alignment = tuple[int, ...]


@dataclass(frozen=True)
class BruteIbm4:
    """`lexical[j][i + 1]` = t(f_j | e_i), i = -1 is none; tables have log probabilities by number."""

    lexical: Sequence[Sequence[float]]
    making: Sequence[int]
    """Numbers of the making words."""
    making_classes: Sequence[int]
    made_classes: Sequence[int]
    classes: int
    distortion: np.ndarray
    fertility: np.ndarray
    null: float

    @property
    def n(self) -> int:
        return len(self.making)

    @property
    def m(self) -> int:
        return len(self.lexical)

    def head(self, before: int, made: int, width: int) -> int:
        return (before * (self.classes + 1) + made) * HEADS + jump_class(width)

    def later(self, made: int, width: int) -> int:
        heads = (self.classes + 2) * (self.classes + 1) * HEADS
        return heads + made * CLASSES + jump_class(width) - CLASSES + 1

    def placed(self, alignment: Alignment) -> Iterator[int]:
        """Yield the number of the distortion parameter of each aligned word."""
        before, center = self.classes + 1, -1  # the start
        for i in range(self.n):
            words = [j for j in range(self.m) if alignment[j] == i]
            if not words:
                continue
            yield self.head(before, self.made_classes[words[0]], words[0] - center)
            for one, two in itertools.pairwise(words):
                yield self.later(self.made_classes[two], two - one)
            before, center = self.making_classes[i], math.ceil(sum(words) / len(words))

    def fertile(self, alignment: Alignment) -> Iterator[int]:
        """Yield the number of the fertility parameter of each making word."""
        for i, word in enumerate(self.making):
            yield word * FERTILITIES + min(alignment.count(i), FERTILITIES - 1)

    def probability(self, alignment: Alignment) -> float:
        none = alignment.count(-1)
        if 2 * none > self.m:
            return 0.0
        value = math.comb(self.m - none, none) * (1 - self.null) ** (self.m - 2 * none) * self.null**none
        value *= math.prod(self.lexical[j][i + 1] for j, i in enumerate(alignment))
        value *= math.exp(sum(self.distortion[number] for number in self.placed(alignment)))
        return value * math.exp(sum(self.fertility[number] for number in self.fertile(alignment)))

    def allowed(self, j: int, i: int) -> bool:
        return self.lexical[j][i + 1] >= SHARE * max(self.lexical[j])

    def neighbors(self, alignment: Alignment) -> list[Alignment]:
        """All alignments reached by one move or swap."""
        found = [
            (*alignment[:j], i, *alignment[j + 1 :])
            for j in range(self.m)
            for i in range(-1, self.n)
            if i != alignment[j] and self.allowed(j, i)
        ]
        for j, k in itertools.combinations(range(self.m), 2):
            here, there = alignment[j], alignment[k]
            if here != there and self.allowed(j, there) and self.allowed(k, here):
                swapped = list(alignment)
                swapped[j], swapped[k] = there, here
                found.append(tuple(swapped))
        return found

    def posterior(self, center: Alignment) -> dict[Alignment, float]:
        weights = {each: self.probability(each) for each in (center, *self.neighbors(center))}
        total = sum(weights.values())
        return {each: value / total for each, value in weights.items()}


def smoothed(counts: np.ndarray, prior: np.ndarray) -> np.ndarray:
    return (counts + PRIOR * prior) / (counts.sum(axis=-1, keepdims=True) + PRIOR)


def estimated_distortions(counts: Counter[int], classes: int) -> np.ndarray:
    """The M step of the distortions: log probabilities by number."""
    making, made = classes + 2, classes + 1
    flat = np.zeros(making * made * HEADS + made * CLASSES)
    for number, count in counts.items():
        flat[number] = count
    heads = flat[: making * made * HEADS].reshape(making, made, HEADS)
    later = flat[making * made * HEADS :].reshape(made, CLASSES)
    by_made = heads.sum(axis=0)
    any_head = smoothed(by_made.sum(axis=0), np.full(HEADS, 1 / HEADS))
    heads = smoothed(heads, smoothed(by_made, any_head)[None])
    later = smoothed(later, smoothed(later.sum(axis=0), np.full(CLASSES, 1 / CLASSES)))
    sizes = np.array([BANDS[abs(c - CLASSES + 1)] for c in range(HEADS)])
    return np.log(np.concatenate([(heads / sizes).ravel(), (later / np.array(BANDS)).ravel()]))


def estimated_fertilities(counts: Counter[int], words: int) -> np.ndarray:
    """The M step of the fertilities: log probabilities by number."""
    table = np.zeros((words + 1, FERTILITIES))
    for number, count in counts.items():
        table.ravel()[number] = count
    return np.log(smoothed(table, smoothed(table.sum(axis=0), np.full(FERTILITIES, 1 / FERTILITIES)))).ravel()
