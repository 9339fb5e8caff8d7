"""The words of a text: counts and most frequent forms."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tunesmith.corpus.sentences import Sentences
from tunesmith.errors import InputError
from tunesmith.immutable import unshared
from tunesmith.types import IntArray

__all__ = ["UNKNOWN_COUNT", "WordCounts"]

UNKNOWN_COUNT = 0.5
"""The count of a word that is not in the text."""


@dataclass(frozen=True, eq=False)
class WordCounts:
    """Word i occurs `counts[i]` times, in any case; its most frequent form is `forms[i]`.

    Words are compared in lower case. Line-initial forms count only for words that occur nowhere else; ties go
    to the first form in code point order. Words are sorted by their lower case, so that the order of the text
    does not matter.
    """

    forms: tuple[str, ...]
    counts: IntArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "counts", unshared(np.asarray(self.counts, dtype=np.int64)))
        if len(self.numbers) != len(self.forms) or len(self.forms) != len(self.counts):
            raise InputError("a word is repeated, or the numbers of words and counts differ")
        if len(self.counts) and self.counts.min() < 1:
            raise InputError(f"found a word count of {self.counts.min()}; expected at least 1")

    @classmethod
    def of(cls, text: Sentences | Iterable[str]) -> WordCounts:
        """Count the words of tokenized text."""
        sentences = text if isinstance(text, Sentences) else Sentences.of(text)
        size = len(sentences.vocabulary)
        known = sentences.words[sentences.words >= 0]
        starts = sentences.offsets[:-1][sentences.lengths > 0]
        first = sentences.words[starts]
        counts = np.bincount(known, minlength=size)
        inner = counts - np.bincount(first[first >= 0], minlength=size)
        best: dict[str, tuple[int, int, str]] = {}
        totals: dict[str, int] = {}
        rows = zip(sentences.vocabulary.words(), counts.tolist(), inner.tolist(), strict=True)
        for form, count, within in rows:
            if not count:
                continue
            key = form.lower()
            totals[key] = totals.get(key, 0) + count
            rank = (-within, -count, form)
            if key not in best or rank < best[key]:
                best[key] = rank
        keys = sorted(totals)
        numbers = np.array([totals[key] for key in keys], dtype=np.int64)
        return cls(tuple(best[key][2] for key in keys), numbers)

    def __len__(self) -> int:
        return len(self.forms)

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The words in lower case."""
        return tuple(form.lower() for form in self.forms)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each word in lower case."""
        return {key: number for number, key in enumerate(self.keys)}

    @cached_property
    def total(self) -> int:
        """The number of running words."""
        return int(self.counts.sum())

    def count(self, word: str) -> int:
        """Return the count of a word, in any case."""
        number = self.numbers.get(word.lower())
        return 0 if number is None else int(self.counts[number])
