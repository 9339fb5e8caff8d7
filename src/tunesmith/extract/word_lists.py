"""Lists of frequent words for feature templates: words, those without links, and pairs of linked words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.corpus import Alignments, Bitext

__all__ = ["Counted", "frequent_words", "linked_pairs", "unaligned_words"]

Counted = list[tuple[str, int]]
"""Texts with their counts, most frequent first; equally frequent ones by text."""

_BLOCK = 1 << 17
"""Sentence pairs counted at once: bounds the memory."""


def frequent_words(bitext: Bitext, most: int) -> tuple[Counted, Counted]:
    """Count the occurrences of each source word and each target word; return the top `most`. O(words)."""
    source, target = (
        _top(
            np.bincount(side.words, minlength=len(side.vocabulary)),
            np.arange(len(side.vocabulary)),
            side.vocabulary.words().__getitem__,
            most,
        )
        for side in (bitext.source, bitext.target)
    )
    return source, target


def unaligned_words(bitext: Bitext, alignments: Alignments, most: int) -> tuple[Counted, Counted]:
    """Count the occurrences without a link of each source word and each target word; return the top `most`.

    O(words + links).
    """
    rows = np.repeat(np.arange(len(alignments)), np.diff(alignments.offsets))
    found = []
    for side, column in ((bitext.source, 0), (bitext.target, 1)):
        unlinked = np.ones(len(side.words), dtype=bool)
        unlinked[side.offsets[rows] + alignments.links[:, column]] = False
        counts = np.bincount(side.words[unlinked], minlength=len(side.vocabulary))
        found.append(_top(counts, np.arange(len(counts)), side.vocabulary.words().__getitem__, most))
    return found[0], found[1]


def linked_pairs(bitext: Bitext, alignments: Alignments, most: int) -> Counted:
    """Count the links of each pair of words; return the top `most`, as texts with a tab between the words.

    O(links log links).
    """
    width = len(bitext.target.vocabulary)
    keys, counts = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    for begin in range(0, len(alignments), _BLOCK):
        end = min(begin + _BLOCK, len(alignments))
        first, last = alignments.offsets[begin], alignments.offsets[end]
        rows = np.repeat(np.arange(begin, end), np.diff(alignments.offsets[begin : end + 1]))
        links = alignments.links[first:last]
        source = bitext.source.words[bitext.source.offsets[rows] + links[:, 0]].astype(np.int64)
        target = bitext.target.words[bitext.target.offsets[rows] + links[:, 1]]
        new, added = np.unique(source * width + target, return_counts=True)
        keys, places = np.unique(np.concatenate([keys, new]), return_inverse=True)
        counts = np.bincount(places, weights=np.concatenate([counts, added])).astype(np.int64)
    words = [side.vocabulary.words() for side in (bitext.source, bitext.target)]
    return _top(counts, keys, lambda key: f"{words[0][key // width]}\t{words[1][key % width]}", most)


def _top(counts: npt.NDArray[Any], keys: npt.NDArray[Any], text: Callable[[int], str], most: int) -> Counted:
    """Return the `most` keys with the highest counts above 0."""
    least = max(1, int(np.partition(counts, -most)[-most]) if len(counts) > most else 1)
    chosen = [(text(int(keys[i])), int(counts[i])) for i in np.flatnonzero(counts >= least)]
    return sorted(chosen, key=lambda entry: (-entry[1], entry[0]))[:most]
