"""RIBES: rank correlation of word order (Isozaki et al. 2010)."""

from __future__ import annotations

import math
from bisect import bisect_left, insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from tunesmith.metrics.base import METRICS, Metric, Segments
from tunesmith.metrics.options import require
from tunesmith.metrics.ratio import Ratio
from tunesmith.metrics.tokenization import check_tokenizer, prepare
from tunesmith.types import Stats

__all__ = ["Ribes"]

_FIRST = 1  # of the characters that stand for words; 0 is any word that no reference has
_UNKNOWN = "\0"


@METRICS.register("ribes")
@dataclass(frozen=True)
class Ribes(Ratio, Metric):
    """RIBES over [sum of sentence scores, sentences], as version 1.03 of its authors' script.

    score of a sentence = tau * precision ^ alpha * brevity ^ beta

    with tau the fraction of pairs of corresponding words that are in the order of the reference, precision
    the fraction of hypothesis words with a correspondence, and brevity = min(1, exp(1 - r / c)); the best
    over the references. The corpus score is the mean over sentences. A hypothesis word corresponds to a
    reference word if both occur once; else if the shortest n-gram that begins or ends with it, of those that
    occur once in both, does. Fewer than two correspondences score 0, except one with a reference of one word.
    Empty references are left out, and so are sentences without any other.

    O(words log words) per sentence, if few words repeat.
    """

    name: ClassVar[str] = "ribes"
    alpha: float = 0.25
    beta: float = 0.10
    tokenize: str = "none"
    lowercase: bool = False

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        for option in ("alpha", "beta"):
            value = getattr(self, option)
            require(self, value >= 0, f"{option} must be at least 0, not {value}")
        check_tokenizer(self.tokenize)

    def measure(self, segments: Segments, threads: int = 1) -> Stats:
        texts = prepare(segments, tokenize=self.tokenize, lowercase=self.lowercase)
        rows = np.zeros((len(texts), 2))
        offsets = texts.offsets.tolist()
        for number, (begin, end) in enumerate(pairwise(offsets)):
            numbers: dict[str, str] = {}
            given = (reference[number].split() for reference in texts.references)
            references = [_Reference(words, numbers) for words in given if words]
            if not references:
                continue
            rows[begin:end, 1] = 1
            for row in range(begin, end):
                coded = "".join([numbers.get(word, _UNKNOWN) for word in texts.hypotheses[row].split()])
                rows[row, 0] = self._best(coded, references)
        return rows

    def _best(self, hypothesis: str, references: Sequence[_Reference]) -> float:
        if not hypothesis:
            return 0.0
        size, best = len(hypothesis), 0.0
        for reference in references:
            tau, precision = _order(list(reference.positions(hypothesis)), size, len(reference.words))
            if tau > 0:
                brevity = math.exp(min(0.0, 1.0 - len(reference.words) / size))
                best = max(best, tau * precision**self.alpha * brevity**self.beta)
        return best


class _Reference:
    """A reference as a string of one character per word, in which n-grams are substrings."""

    def __init__(self, words: list[str], numbers: dict[str, str]) -> None:
        self.words = "".join([numbers.setdefault(word, chr(_FIRST + len(numbers))) for word in words])
        self._single = {word: at for at, word in enumerate(self.words) if self.words.count(word) == 1}

    def positions(self, hypothesis: str) -> Iterator[int]:
        """Yield the position of the corresponding word of each hypothesis word that has one."""
        words, single = self.words, self._single
        for i, word in enumerate(hypothesis):
            if word in single and hypothesis.count(word) == 1:
                yield single[word]
            elif word in words:
                yield from self._in_context(hypothesis, i)

    def _in_context(self, hypothesis: str, i: int) -> Iterator[int]:
        """Yield the position found by the shortest n-gram; to the left before to the right."""
        size = len(hypothesis)
        left, right = True, True  # whether n-grams to this side occur in the reference so far
        for window in range(1, max(i + 1, size - i)):
            if left and (left := window <= i):
                ngram = hypothesis[i - window : i + 1]
                at = self.words.find(ngram)
                left = at >= 0
                if left and self._once(ngram, at, hypothesis):
                    yield at + window
                    return
            if right and (right := i + window < size):
                ngram = hypothesis[i : i + window + 1]
                at = self.words.find(ngram)
                right = at >= 0
                if right and self._once(ngram, at, hypothesis):
                    yield at
                    return
            if not (left or right):
                return

    def _once(self, ngram: str, at: int, hypothesis: str) -> bool:
        """Return whether an n-gram, first in the reference at a position, occurs once here and there."""
        return self.words.find(ngram, at + 1) < 0 and hypothesis.find(ngram, hypothesis.find(ngram) + 1) < 0


def _order(positions: list[int], size: int, reference_size: int) -> tuple[float, float]:
    """Return the fraction of pairs in ascending order, and the precision."""
    count = len(positions)
    if count == 1 and reference_size == 1:
        return 1.0, 1.0 / size
    if count < 2:
        return 0.0, 0.0
    ascending, seen = 0, list[int]()
    for position in positions:
        ascending += bisect_left(seen, position)
        insort(seen, position)
    return ascending / (count * (count - 1) / 2), count / size
