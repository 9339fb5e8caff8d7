"""A small trigram model with Witten-Bell smoothing, enough to distinguish English from word salad."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

__all__ = ["TrigramModel"]

START, END = "<s>", "</s>"


class TrigramModel:
    """p(w|h) = (c(hw) + T(h) p(w|h')) / (c(h) + T(h)), Witten and Bell (1991).

    T(h) counts the different words seen after h, and h' is h without its first word. The unigram backs off
    to a uniform distribution over the words seen and one unseen.
    """

    def __init__(self, sentences: Iterable[Sequence[str]]) -> None:
        """Count the n-grams of tokenized sentences."""
        self._counts: Counter[tuple[str, ...]] = Counter()
        for words in sentences:
            padded = (START, START, *words, END)
            for i in range(2, len(padded)):
                for order in (1, 2, 3):
                    self._counts[padded[i - order + 1 : i + 1]] += 1
        self._totals: Counter[tuple[str, ...]] = Counter()
        self._types: Counter[tuple[str, ...]] = Counter()
        for ngram, count in self._counts.items():
            self._totals[ngram[:-1]] += count
            self._types[ngram[:-1]] += 1
        self._uniform = 1.0 / (self._types[()] + 1)
        self._known: dict[tuple[str, ...], float] = {}

    def probability(self, ngram: tuple[str, ...]) -> float:
        """Return p(last word | words before it)."""
        history = ngram[:-1]
        lower = self.probability(ngram[1:]) if history else self._uniform
        types = self._types[history]
        if not types:
            return lower
        return (self._counts[ngram] + types * lower) / (self._totals[history] + types)

    def score(self, words: Sequence[str]) -> float:
        """Return the natural log probability of a sentence."""
        known = self._known
        padded = (START, START, *words, END)
        total = 0.0
        for i in range(2, len(padded)):
            ngram = padded[i - 2 : i + 1]
            value = known.get(ngram)
            if value is None:
                value = known[ngram] = math.log(self.probability(ngram))
            total += value
        return total
