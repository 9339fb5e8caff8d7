"""The simulated translation system behind the candidates: its models and its features.

All models are trained on generated text disjoint from the candidate lists; no feature uses a reference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from tunesmith.generated.draw import Stream
from tunesmith.generated.generate import generate
from tunesmith.generated.reranking.language_model import TrigramModel
from tunesmith.generated.reranking.lexical import LexicalModel
from tunesmith.generated.reranking.mistakes import Hypothesis

__all__ = ["DENSE", "HAND_WEIGHTS", "System", "system"]

TRAINING_PAIRS = 3_000
TRAINING_SEED, TRAINING_FIRST = 1, 1 << 48
TRAINING_NOISE = 0.15
"""A system is trained on what people could get."""

FREQUENT = 120
"""Sparse features cover this many of the most frequent words of each language."""
BIGRAM_WORDS = 30
"""All bigrams of this many English words get a feature, unseen ones included."""
RARE = 0.01
"""Pairs less probable than this get no feature."""
CONFUSED = 4
"""For every fourth frequent word the system has also learned a wrong translation."""

DENSE = (
    "LanguageModel",
    "LexicalForward",
    "LexicalInverse",
    "WordPenalty",
    "PhrasePenalty",
    "Distortion",
    "Untranslated",
    "Dropped",
)

HAND_WEIGHTS = {
    "LanguageModel": 0.5,
    "LexicalForward": 0.2,
    "LexicalInverse": 0.2,
    "WordPenalty": -1.0,
    "PhrasePenalty": 0.2,
    "Distortion": 0.3,
    "Untranslated": 1.0,
    "Dropped": 0.5,
}
"""Plausible weights before tuning; sparse features get 0."""


@dataclass(frozen=True)
class System:
    """Models, and the names of all features: dense ones first."""

    lexical: LexicalModel
    language: TrigramModel
    names: tuple[str, ...]
    columns: dict[str, int]

    def features(self, hypothesis: Hypothesis) -> dict[int, float]:
        """Return the features of a hypothesis by column; dense ones are always there."""
        source = [word.lower() for word in hypothesis.source]
        target = [word.lower() for word in hypothesis.words]
        by_target = [[source[i] for i in links] for links in hypothesis.links]
        by_source: list[list[str]] = [[] for _ in source]
        for word, links in zip(target, hypothesis.links, strict=True):
            for i in links:
                by_source[i].append(word)
        phrases, distance = _jumps(hypothesis.links)
        copied = sum(word in hypothesis.source and word.isalpha() for word in hypothesis.words)
        dropped = [word for word, links in zip(source, by_source, strict=True) if not links]
        row: dict[int, float] = dict(
            enumerate(
                (
                    self.language.score(target),
                    self.lexical.forward_score(target, by_target),
                    self.lexical.inverse_score(source, by_source),
                    -float(len(target)),
                    -float(phrases),
                    -float(distance),
                    -float(copied),
                    -float(len(dropped)),
                )
            )
        )
        self._sparse(row, target, by_target, dropped)
        return row

    def _sparse(
        self,
        row: dict[int, float],
        target: Sequence[str],
        by_target: Sequence[Sequence[str]],
        dropped: Sequence[str],
    ) -> None:
        """Count word pairs, bigrams, words that came from nothing and words that led to nothing."""
        names = [f"drop:{word}" for word in dropped]
        before = "<s>"
        for word, givens in zip(target, by_target, strict=True):
            names.append(f"bigram:{before}_{word}")
            before = word
            names += [f"pair:{given}_{word}" for given in givens] or [f"insert:{word}"]
        for name in names:
            column = self.columns.get(name)
            if column is not None:
                row[column] = row.get(column, 0.0) + 1.0


def _jumps(links: Sequence[Sequence[int]]) -> tuple[int, int]:
    """Return the number of stretches that follow the German order, and the distance jumped between them."""
    phrases, distance, place = 0, 0, -1
    for places in links:
        if places and places[0] != place:
            if places[0] != place + 1:
                phrases += 1
                distance += abs(places[0] - place - 1)
            place = places[0]
    return phrases + 1, distance


@cache
def system() -> System:
    """Train the one system; takes about a second, once."""
    pairs = list(generate(TRAINING_PAIRS, seed=TRAINING_SEED, first=TRAINING_FIRST, noise=TRAINING_NOISE))
    german = _frequent([pair.source for pair in pairs])
    english = _frequent([pair.target for pair in pairs])
    draw = Stream().start(TRAINING_SEED, TRAINING_FIRST - 1, 0)
    confused = {word: english[int(draw() * len(english))] for word in german[::CONFUSED]}
    lexical = LexicalModel.train(pairs, confused)
    language = TrigramModel(pair.target.lower().split() for pair in pairs)
    names = (*DENSE, *_sparse_names(german, english, lexical))
    return System(lexical, language, names, {name: column for column, name in enumerate(names)})


def _sparse_names(german: Sequence[str], english: Sequence[str], lexical: LexicalModel) -> list[str]:
    """Return the names of sparse features, most frequent words first."""
    bigrams = ["<s>", *english[:BIGRAM_WORDS]]
    return [
        *(f"bigram:{first}_{second}" for first in bigrams for second in bigrams[1:]),
        *(f"pair:{f}_{e}" for f in german for e in english if lexical.forward[f].get(e, 0) > RARE),
        *(f"insert:{word}" for word in english),
        *(f"drop:{word}" for word in german),
    ]


def _frequent(texts: Sequence[str]) -> list[str]:
    counts = Counter(word for text in texts for word in text.lower().split())
    return sorted(counts, key=lambda word: (-counts[word], word))[:FREQUENT]
