"""Candidate lists as forests: one node, one edge per candidate."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from tunesmith.candidates import Pool
from tunesmith.errors import InputError
from tunesmith.forest import Forest
from tunesmith.forest.build import from_arrays
from tunesmith.texts import Texts
from tunesmith.types import FloatArray

__all__ = ["candidate_texts", "list_forests"]


def list_forests(pool: Pool, scores: FloatArray) -> Iterator[tuple[Forest, FloatArray]]:
    """Yield one forest per list with the scores of its edges; edge i is candidate i. O(words)."""
    texts = list(candidate_texts(pool))
    offsets = pool.offsets.tolist()
    for begin, end in pairwise(offsets):
        yield _forest([text.split() for text in texts[begin:end]]), scores[begin:end]


def candidate_texts(pool: Pool) -> Texts:
    """Return the texts of a pool; an InputError if it has none."""
    if pool.texts is None:
        raise InputError("the candidates have no texts; consensus needs their words")
    return pool.texts


def _forest(candidates: list[list[str]]) -> Forest:
    numbers: dict[str, int] = {}
    symbols = [numbers.setdefault(word, len(numbers)) for words in candidates for word in words]
    count = len(candidates)
    none = np.zeros(count + 1, dtype=np.uint32)
    empty: list[int] = []
    target_offsets = np.cumsum([0, *map(len, candidates)])
    words, features = Texts.of(numbers), Texts.of(())
    return from_arrays(
        [0, count],
        (none, empty),
        np.arange(count),
        np.full((count, 2), -1),
        (none, empty, empty),
        (none, empty),
        (target_offsets, symbols),
        (none, empty),
        (none, empty, empty),
        np.full(count, -1),
        (words.blob, words.offsets),
        (features.blob, features.offsets),
    )
