"""Candidate lists of generated sentences as plain arrays, ready to become a pool."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tunesmith.errors import OptionError
from tunesmith.generated.draw import stream, weighted
from tunesmith.generated.generate import ENGLISH, MOST_REFERENCES, TREE, check_options, text_of
from tunesmith.generated.sentence import derive
from tunesmith.generated.system import HAND_WEIGHTS, blundered, system
from tunesmith.generated.tokens import link
from tunesmith.types import FloatArray, IntArray

__all__ = ["CandidateLists", "candidate_lists"]

CANDIDATES = 7
"""The random stream of the candidates."""
TRIES = 3
"""Maximum tries per candidate of a list: short sentences have few translations."""
LENGTH = 8
"""Up to one additional mistake per this many words."""
_MISTAKES = weighted("1 10; 2 26; 3 28; 4 20; 5 10; 6 6")


@dataclass(frozen=True, eq=False)
class CandidateLists:
    """Candidates of n sentences; list g is the rows `offsets[g]` to `offsets[g + 1]`.

    Row i has feature `columns[k]` with `values[k]` for k from `rows[i]` to `rows[i + 1]`. The first
    candidate of a list is what the hand-set weights like best.
    """

    ids: tuple[str, ...]
    sources: list[str]
    offsets: IntArray
    texts: list[str]
    names: tuple[str, ...]
    rows: IntArray
    columns: npt.NDArray[np.int32]
    values: FloatArray
    references: tuple[list[str], ...]


def candidate_lists(
    n: int, *, seed: int = 1, size: int = 50, first: int = 0, references: int = MOST_REFERENCES
) -> CandidateLists:
    """Make candidates of sentences `first` to `first + n - 1` as an imperfect system would.

    Each candidate is a translation that the grammar allows, with some mistakes in it; all are different.
    Sentences and references are those of `generate` with the same seed and no noise; the system and
    its features are the same for all seeds, so that lists of several calls go together.
    """
    check_options(n, seed=seed, first=first, references=references, noise=0.0)
    if n < 1 or size < 1:
        raise OptionError(f"n and size must be at least 1, not {n} and {size}")
    lists = [_list(seed, index, size, references) for index in range(first, first + n)]
    features = [sorted(row.items()) for _, candidates, _ in lists for row in candidates.values()]
    return CandidateLists(
        tuple(str(index) for index in range(first, first + n)),
        [source for source, _, _ in lists],
        _offsets([len(candidates) for _, candidates, _ in lists]),
        [text for _, candidates, _ in lists for text in candidates],
        tuple(system().columns),
        _offsets([len(row) for row in features]),
        np.array([column for row in features for column, _ in row], dtype=np.int32),
        np.array([value for row in features for _, value in row], dtype=np.float64),
        tuple([said[r] for _, _, said in lists] for r in range(references)),
    )


def _offsets(counts: list[int]) -> IntArray:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


Candidates = dict[str, dict[int, float]]
"""Features of candidates by their text."""


def _list(seed: int, index: int, size: int, references: int) -> tuple[str, Candidates, list[str]]:
    """Draw different candidates of one sentence with their features, best by hand-set weights first."""
    source, english = derive(stream(seed, index, TREE))
    said = [text_of(english(stream(seed, index, ENGLISH + r))) for r in range(references)]
    draw, german = stream(seed, index, CANDIDATES), [word for word, _ in source]
    candidates: Candidates = {}
    for _ in range(TRIES * size):
        tokens = english(draw)
        places: list[list[int]] = [[] for _ in tokens]
        for i, j in link(source, tokens):
            places[j].append(i)
        words = [(word, tuple(linked)) for (word, _), linked in zip(tokens, places, strict=True)]
        for _ in range(int(_MISTAKES(draw)) + int(draw() * len(words) / LENGTH)):
            words = blundered(german, words, draw)
        text = text_of(words)
        if text not in candidates:
            candidates[text] = system().features(german, words)
        if len(candidates) == size:
            break
    by_hand = sorted(
        candidates,
        key=lambda text: -sum(w * candidates[text][i] for i, w in enumerate(HAND_WEIGHTS.values())),
    )
    return text_of(source), {text: candidates[text] for text in by_hand}, said
