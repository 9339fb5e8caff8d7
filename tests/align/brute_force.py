"""Alignment models by their definitions, in plain Python: what the native ones are compared with."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from scipy.special import digamma

Words = Sequence[str]
Table = dict[tuple[str | None, str], float]
"""t(made word | making word); None makes words without a partner."""
Prior = Callable[[int, int, int, int], float]
"""p(making position i of n | made position j of m); i = -1 is none."""

CLASSES = 15


def even_prior(i: int, n: int, j: int, m: int) -> float:
    return 1 / (n + 1)


def diagonal_prior(tension: float, null: float) -> Prior:
    def weight(i: int, n: int, j: int, m: int) -> float:
        return math.exp(-tension * abs((i + 1) / n - (j + 1) / m))

    def prior(i: int, n: int, j: int, m: int) -> float:
        if i < 0:
            return null
        return (1 - null) * weight(i, n, j, m) / sum(weight(k, n, j, m) for k in range(n))

    return prior


def mixture_em(
    pairs: Sequence[tuple[Words, Words]], prior: Prior, iterations: int, bayes: float | None = None
) -> tuple[Table, list[float]]:
    """Train p(second | first) and return the table and the log likelihood before each iteration.

    `bayes` is the Dirichlet prior of variational Bayes; without it probabilities are plain ratios.
    """
    table: Table = {}
    words = {word for _, made in pairs for word in made}
    for making, made in pairs:
        table |= {(e, f): 1 / len(words) for e in (None, *making) for f in made}
    likelihoods = []
    for _ in range(iterations):
        counts: Table = defaultdict(float)
        likelihood = 0.0
        for making, made in pairs:
            n, m = len(making), len(made)
            for j, f in enumerate(made):
                joint = {i: prior(i, n, j, m) * table[_at(making, i), f] for i in range(-1, n)}
                total = sum(joint.values())
                likelihood += math.log(total)
                for i, value in joint.items():
                    counts[_at(making, i), f] += value / total
        likelihoods.append(likelihood)
        table = _normalized(table, counts, bayes)
    return table, likelihoods


def _normalized(table: Table, counts: Mapping[tuple[str | None, str], float], bayes: float | None) -> Table:
    totals: dict[str | None, float] = defaultdict(float)
    for e, f in table:
        totals[e] += counts[e, f] + (bayes or 0)
    if bayes is None:
        return {(e, f): counts[e, f] / totals[e] for e, f in table}
    return {(e, f): math.exp(digamma(counts[e, f] + bayes) - digamma(totals[e])) for e, f in table}


def _at(making: Words, i: int) -> str | None:
    return None if i < 0 else making[i]


def jump_class(width: int) -> int:
    far = next((band for band, end in enumerate((*range(11), 15, 25, 50)) if abs(width) <= end), 14)
    return CLASSES - 1 - far if width < 0 else CLASSES - 1 + far


class BruteHmm:
    """All paths of an HMM over one sentence pair: position -1 is none, and keeps the position before it."""

    def __init__(
        self, emissions: Sequence[Sequence[float]], none: Sequence[float], jumps, null: float
    ) -> None:
        self.emissions, self.none, self.null = emissions, none, null
        self.n, self.m = len(emissions[0]), len(emissions)
        self.jumps, self.starts = list(jumps[: 2 * CLASSES - 1]), list(jumps[2 * CLASSES - 1 :])
        self.paths = {path: self._probability(path) for path in self._all()}

    def _all(self):
        return itertools.product(range(-1, self.n), repeat=self.m)

    def _jump(self, before: int | None, i: int) -> float:
        def weight(k: int) -> float:
            if before is None:
                return self.starts[jump_class(k) - CLASSES + 1]
            return self.jumps[jump_class(k - before)]

        return weight(i) / sum(weight(k) for k in range(self.n))

    def _probability(self, path: tuple[int, ...]) -> float:
        probability, before = 1.0, None
        for t, i in enumerate(path):
            if i < 0:
                probability *= self.null * self.none[t]
            else:
                probability *= (1 - self.null) * self._jump(before, i) * self.emissions[t][i]
                before = i
        return probability

    @property
    def likelihood(self) -> float:
        return sum(self.paths.values())

    def posterior(self, t: int, i: int) -> float:
        return sum(value for path, value in self.paths.items() if path[t] == i) / self.likelihood

    @property
    def best(self) -> tuple[int, ...]:
        return max(self.paths, key=lambda path: self.paths[path])
