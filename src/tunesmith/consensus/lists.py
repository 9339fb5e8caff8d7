"""Candidate lists as forests: one node, one edge per candidate."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from tunesmith.candidates import Pool
from tunesmith.errors import IgnoredInputWarning, InputError, Message
from tunesmith.forest import Derivation, Forest, kbest
from tunesmith.forest.build import from_arrays
from tunesmith.forest.kbest import PATIENCE
from tunesmith.texts import Texts
from tunesmith.types import FloatArray

__all__ = ["best_strings", "candidate_texts", "distinct_counts", "list_forests", "say_limit", "say_pruned"]

FOREST_SIZE = 100
"""Strings that a forest is represented by unless a number is given; lists are taken whole."""


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


def best_strings(forest: Forest, scores: FloatArray, size: int | None) -> list[Derivation]:
    """Return the `size` best distinct strings; None: all of a list, `FOREST_SIZE` of another forest."""
    is_list = forest.node_count == 1
    most = size or (forest.edge_count if is_list else FOREST_SIZE)
    # Among the samples of a list one string may be most of them.
    patience = max(PATIENCE, forest.edge_count) if is_list else PATIENCE
    return kbest(forest, scores, most, unique=True, patience=patience)


def distinct_counts(pool: Pool) -> list[int]:
    """Return the number of different strings of each list."""
    texts = list(candidate_texts(pool))
    return [len(set(texts[begin:end])) for begin, end in pairwise(pool.offsets.tolist())]


def say_limit(name: str, limit: int | None, sizes: Sequence[int], what: str) -> None:
    """Warn that an option leaves out strings, given the number of different strings of each list."""
    cut = [size for size in sizes if limit is not None and size > limit]
    if cut:
        text = "{} is {limit}: in {lists:,} of {all:,} lists the other {what} are left out, {sum:,} of {of:,}"
        counts = {"sum": sum(cut) - len(cut) * (limit or 0), "of": sum(sizes), "what": what}
        message = Message(text, name, limit=limit, lists=len(cut), all=len(sizes), **counts)
        warnings.warn(IgnoredInputWarning(message), stacklevel=4)


def say_pruned(count: int, total: int) -> None:
    """Warn that rules left out derivations of `count` forests, which were too large for them."""
    if count:
        text = (
            "consensus left out unlikely derivations of {count:,} of {total:,} sentences: their forests have"
            " more edges than the rule takes ({}); raise it, or make forests smaller by options of the search"
        )
        message = Message(text, "max_edges", count=count, total=total)
        warnings.warn(IgnoredInputWarning(message), stacklevel=4)


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
