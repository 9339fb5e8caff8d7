"""Candidate lists of generated sentences as plain arrays, ready to become a pool."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tunesmith.errors import OptionError
from tunesmith.generated.draw import Choice, Draw, Stream
from tunesmith.generated.generate import ENGLISH, MOST_REFERENCES, TREE, check_options
from tunesmith.generated.grammar.sentence import Sentence
from tunesmith.generated.grammar.tokens import Tokens
from tunesmith.generated.pairs import derive, say_in_english, sentence_case
from tunesmith.generated.reranking.mistakes import Hypothesis, blunder, from_tokens
from tunesmith.generated.reranking.system import DENSE, HAND_WEIGHTS, System, system
from tunesmith.types import FloatArray, IntArray

__all__ = ["CandidateLists", "candidate_lists"]

CANDIDATES = 7
"""The random stream of the candidates."""

TRIES = 3
"""Maximum tries per candidate of a list: short sentences have few translations."""

LENGTH = 8
"""Up to one additional mistake per this many words."""

_MISTAKES = Choice([(1, 10.0), (2, 26.0), (3, 28.0), (4, 20.0), (5, 10.0), (6, 6.0)])


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

    Each candidate is a translation that the tree allows, with some mistakes in it; all are different.
    Sentences and references are those of `generate` with the same seed and no noise; the system and
    its features are the same for all seeds, so that lists of several calls go together.
    """
    check_options(n, seed=seed, first=first, references=references, noise=0.0)
    if n < 1 or size < 1:
        raise OptionError(f"n and size must be at least 1, not {n} and {size}")
    model = system()
    lists = [_list(model, seed, index, size, references) for index in range(first, first + n)]
    features = [sorted(row.items()) for entry in lists for row in entry.features]
    offsets = np.zeros(n + 1, dtype=np.int64)
    np.cumsum([len(entry.texts) for entry in lists], out=offsets[1:])
    rows = np.zeros(len(features) + 1, dtype=np.int64)
    np.cumsum([len(row) for row in features], out=rows[1:])
    return CandidateLists(
        tuple(str(index) for index in range(first, first + n)),
        [entry.source for entry in lists],
        offsets,
        [text for entry in lists for text in entry.texts],
        model.names,
        rows,
        np.array([column for row in features for column, _ in row], dtype=np.int32),
        np.array([value for row in features for _, value in row], dtype=np.float64),
        tuple([entry.references[r] for entry in lists] for r in range(references)),
    )


@dataclass(frozen=True)
class _List:
    source: str
    texts: list[str]
    features: list[dict[int, float]]
    references: list[str]


def _list(model: System, seed: int, index: int, size: int, references: int) -> _List:
    """Make the candidates of one sentence, best by hand-set weights first."""
    stream = Stream()
    tree, source = derive(stream.start(seed, index, TREE))
    said = [say_in_english(tree, stream.start(seed, index, ENGLISH + r)) for r in range(references)]
    hypotheses = _hypotheses(tree, source, size, model, stream.start(seed, index, CANDIDATES))
    scored = [(text, model.features(hypothesis)) for text, hypothesis in hypotheses.items()]
    scored.sort(key=lambda item: -_hand_score(item[1]))
    return _List(
        _text(source.words),
        [text for text, _ in scored],
        [row for _, row in scored],
        [_text(english.words) for english in said],
    )


def _hypotheses(
    tree: Sentence, source: Tokens, size: int, model: System, draw: Draw
) -> dict[str, Hypothesis]:
    """Draw different hypotheses by their text, in the order of drawing."""
    hypotheses: dict[str, Hypothesis] = {}
    for _ in range(TRIES * size):
        hypothesis = from_tokens(source, say_in_english(tree, draw))
        for _ in range(_MISTAKES(draw) + int(draw() * len(hypothesis.words) / LENGTH)):
            blunder(hypothesis, model.lexical, draw)
        hypotheses.setdefault(_text(hypothesis.words), hypothesis)
        if len(hypotheses) == size:
            break
    return hypotheses


def _hand_score(row: dict[int, float]) -> float:
    return sum(HAND_WEIGHTS[name] * row[column] for column, name in enumerate(DENSE))


def _text(words: list[str]) -> str:
    cased = words.copy()
    sentence_case(cased)
    return " ".join(cased)
