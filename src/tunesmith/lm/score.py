"""Language model scores of a text: word by word, and perplexity."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tunesmith.types import BoolArray, Float32Array, FloatArray, IntArray

__all__ = ["Perplexity", "TextScores", "WordScore"]


class WordScore(NamedTuple):
    """Natural log of a word's probability, order of the matched n-gram, and whether it is unknown."""

    score: float
    order: int
    unknown: bool


@dataclass(frozen=True)
class Perplexity:
    """Perplexity of a text: exp(-(sum of natural logs) / tokens), as in KenLM.

    Tokens are the words and, if scored, one `</s>` per sentence.
    """

    sentences: int
    tokens: int
    unknown: int
    score: float
    score_of_known: float

    @property
    def including_unknown(self) -> float:
        """The perplexity over all tokens; infinite on overflow."""
        return _exp_mean(self.score, self.tokens)

    @property
    def excluding_unknown(self) -> float:
        """The perplexity over known tokens only."""
        return _exp_mean(self.score_of_known, self.tokens - self.unknown)


@dataclass(frozen=True, eq=False)
class TextScores:
    """Scores of sentences, word by word: sentence i is [offsets[i], offsets[i + 1]) of each array."""

    scores: Float32Array
    orders: IntArray
    unknown: BoolArray
    offsets: IntArray

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def sentence_scores(self) -> FloatArray:
        """Return the natural log of each sentence's probability."""
        return _sums(self.scores, self.offsets)

    def sentence_unknown(self) -> IntArray:
        """Return the number of unknown words of each sentence."""
        return _sums(self.unknown, self.offsets).astype(np.int64)

    def words(self, index: int) -> list[WordScore]:
        """Return the scores of a sentence's words."""
        row = range(len(self))[index]
        chosen = slice(self.offsets[row], self.offsets[row + 1])
        columns = (self.scores[chosen], self.orders[chosen], self.unknown[chosen])
        return [WordScore(*word) for word in zip(*(column.tolist() for column in columns), strict=True)]

    def perplexity(self) -> Perplexity:
        """Return the perplexity of the whole text."""
        scores = self.scores.astype(np.float64)
        return Perplexity(
            sentences=len(self),
            tokens=len(scores),
            unknown=int(self.unknown.sum()),
            score=float(scores.sum()),
            score_of_known=float(scores[~self.unknown].sum()),
        )


def _sums(values: Float32Array | BoolArray, offsets: IntArray) -> FloatArray:
    finite = np.isfinite(values)
    sums = np.concatenate([[0.0], np.cumsum(np.where(finite, values, 0.0), dtype=np.float64)])
    totals = np.diff(sums[offsets])
    if not finite.all():  # -inf - -inf is not a number: sentences with a word of probability 0 are set apart
        impossible = np.concatenate([[0], np.cumsum(~finite)])
        totals[np.diff(impossible[offsets]) > 0] = -math.inf
    return totals


def _exp_mean(score: float, tokens: int) -> float:
    if tokens == 0:
        return math.nan
    try:
        return math.exp(-score / tokens)
    except OverflowError:
        return math.inf
