"""What consensus rules maximize, from the definitions, over all derivations of small forests."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable

import numpy as np
from tests.forest.enumeration import listed, ngram_counts, total

from tunesmith.candidates import Pool
from tunesmith.forest import Forest
from tunesmith.types import FloatArray

Words = tuple[str, ...]


def distribution(forest: Forest, scores: FloatArray, scale: float) -> dict[Words, float]:
    """Return the probability of each yield: the sum over its derivations."""
    sums: defaultdict[Words, float] = defaultdict(float)
    for one in listed(forest):
        score = total(one.edges, scores)
        if score > -math.inf:
            sums[one.words] += math.exp(scale * score)
    whole = sum(sums.values())
    return {words: weight / whole for words, weight in sums.items()}


def best_scores(forest: Forest, scores: FloatArray) -> dict[Words, float]:
    """Return the score of the best derivation of each yield."""
    best: dict[Words, float] = {}
    for one in listed(forest):
        best[one.words] = max(best.get(one.words, -math.inf), total(one.edges, scores))
    return best


def expected(yields: dict[Words, float], order: int) -> Counter[Words]:
    """Return expected n-gram counts."""
    counts: Counter[Words] = Counter()
    for words, probability in yields.items():
        for ngram, count in ngram_counts(words, order).items():
            counts[ngram] += probability * count  # type: ignore[assignment]
    return counts


def presence(yields: dict[Words, float], order: int) -> dict[Words, float]:
    """Return the probability of n-grams to be in a yield."""
    sums: defaultdict[Words, float] = defaultdict(float)
    for words, probability in yields.items():
        for ngram in ngram_counts(words, order):
            sums[ngram] += probability
    return dict(sums)


def largest(yields: dict[Words, float], value: Callable[[Words], float]) -> tuple[float, set[Words]]:
    """Return the largest value, and all yields that have it but for rounding."""
    values = {words: value(words) for words in yields}
    most = max(values.values())
    return most, {words for words, found in values.items() if found >= most - 1e-9 * (1 + abs(most))}


def as_pool(forest: Forest, scores: FloatArray) -> Pool:
    """Return the derivations of a forest as one candidate list; weights of 1 give their scores."""
    found = listed(forest)
    return Pool.from_arrays(
        np.array([[total(one.edges, scores)] for one in found]),
        offsets=[0, len(found)],
        names=["score"],
        texts=[" ".join(one.words) for one in found],
    )
