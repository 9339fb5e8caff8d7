"""chrF against the average of many references (Vamvas and Sennrich 2024): one comparison per candidate."""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence

import numpy as np

from tunesmith.metrics.chrf import Chrf
from tunesmith.types import FloatArray, IntArray, Stats

__all__ = ["aggregated_chrf"]

_PUNCTUATION = frozenset(string.punctuation)


def aggregated_chrf(
    metric: Chrf, candidates: Sequence[str], references: Sequence[str], weights: FloatArray
) -> Stats:
    """Return the chrF statistics of each candidate against the weighted average of the references' counts.

    With the mean count a_g = sum over references r of w_r c_g(r) / sum of w_r of each n-gram g, they are per
    order: the n-grams of the candidate, sum of a_g, and sum over g of min(c_g(candidate), a_g). With one
    reference they equal `metric.measure`. O(characters of candidates and references x log) per order.
    """
    texts = [*candidates, *references]
    if metric.lowercase:
        texts = [text.lower() for text in texts]
    shares = weights / weights.sum()
    columns: list[FloatArray] = []
    for order in _orders(_characters(texts, metric.whitespace), metric.char_order):
        columns += _statistics(*order, len(candidates), shares)
    for order in _orders(_words(texts), metric.word_order):
        columns += _statistics(*order, len(candidates), shares)
    return np.stack(columns, axis=-1)


def _characters(texts: Sequence[str], whitespace: bool) -> list[IntArray]:
    kept = texts if whitespace else ["".join(text.split()) for text in texts]
    return [np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32).astype(np.int64) for text in kept]


def _words(texts: Sequence[str]) -> list[IntArray]:
    """Return the words as numbers; one punctuation mark is separated from each word, at its end or start."""
    numbers: dict[str, int] = {}
    rows = []
    for text in texts:
        words: list[str] = []
        for word in text.split():
            if len(word) > 1 and word[-1] in _PUNCTUATION:
                words += [word[:-1], word[-1]]
            elif len(word) > 1 and word[0] in _PUNCTUATION:
                words += [word[0], word[1:]]
            else:
                words.append(word)
        rows.append(np.array([numbers.setdefault(word, len(numbers)) for word in words], dtype=np.int64))
    return rows


def _orders(rows: list[IntArray], most: int) -> Iterator[tuple[IntArray, IntArray]]:
    """Yield for each order the text of each n-gram and its number; equal n-grams have equal numbers."""
    if most == 0:
        return
    lengths = [len(row) for row in rows]
    texts = np.repeat(np.arange(len(rows)), lengths)
    left = np.repeat(np.cumsum(lengths), lengths) - np.arange(len(texts))  # symbols to the end of the text
    symbols = _numbered(np.concatenate(rows))
    starts, grams = np.arange(len(texts)), symbols
    yield texts, grams
    for order in range(2, most + 1):
        longer = left[starts] >= order
        starts, grams = starts[longer], grams[longer]
        # The number of the shorter n-gram and the next symbol determine the n-gram.
        grams = _numbered(grams * (len(symbols) + 1) + symbols[starts + order - 1])
        yield texts[starts], grams


def _numbered(values: IntArray) -> IntArray:
    return np.unique(values, return_inverse=True)[1].reshape(-1).astype(np.int64)


def _statistics(
    texts: IntArray, grams: IntArray, candidates: int, shares: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return [n-grams of the hypothesis, of the reference, matches] of one order."""
    width = int(grams.max(initial=-1)) + 1
    ours = texts < candidates
    mean = np.bincount(grams[~ours], weights=shares[texts[~ours] - candidates], minlength=width)
    cells, counts = np.unique(texts[ours] * max(width, 1) + grams[ours], return_counts=True)
    matches = np.minimum(counts, mean[cells % max(width, 1)]) if width else counts.astype(np.float64)
    rows = cells // max(width, 1)
    total = float(mean.sum())
    # Without n-grams in the reference, those of the hypothesis do not count, as in chrF.
    found: FloatArray = np.bincount(rows, weights=counts * float(total > 0), minlength=candidates)  # type: ignore[assignment]
    matched: FloatArray = np.bincount(rows, weights=matches, minlength=candidates)  # type: ignore[assignment]
    return found, np.full(candidates, total, dtype=np.float64), matched
