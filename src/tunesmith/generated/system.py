"""The simulated translation system behind the candidates: its models, its features and its mistakes.

All models are counted on generated text disjoint from the candidate lists; no feature uses a reference.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from tunesmith.generated.draw import Choice, Draw, stream, weighted
from tunesmith.generated.generate import generate

__all__ = ["HAND_WEIGHTS", "MISTAKES", "Hypothesis", "System", "blundered", "system"]

TRAINING_PAIRS, TRAINING_SEED, TRAINING_FIRST = 3_000, 1, 1 << 48
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
UNSEEN = 1e-4
NULL = "<null>"

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
"""Plausible weights of the dense features before tuning; sparse features get 0."""

Hypothesis = list[tuple[str, tuple[int, ...]]]
"""English words, and for each the German positions that it comes from."""


@dataclass(frozen=True)
class System:
    """Relative frequencies of linked words in both directions, counts of bigrams, and columns of features."""

    forward: dict[str, dict[str, float]]
    inverse: dict[str, dict[str, float]]
    bigrams: Counter[tuple[str, ...]]
    columns: dict[str, int]

    def features(self, german: Sequence[str], hypothesis: Hypothesis) -> dict[int, float]:
        """Return the features of a hypothesis by column; dense ones are always there."""
        source, target = [word.lower() for word in german], [word.lower() for word, _ in hypothesis]
        givens = [[source[i] for i in links] for _, links in hypothesis]
        by_source: list[list[str]] = [[] for _ in source]
        for word, (_, links) in zip(target, hypothesis, strict=True):
            for i in links:
                by_source[i].append(word)
        dropped = [word for word, linked in zip(source, by_source, strict=True) if not linked]
        copied = sum(word in german and word.isalpha() for word, _ in hypothesis)
        phrases, distance = _jumps(hypothesis)
        dense = (
            sum(
                math.log(self._bigram(*pair))
                for pair in zip(["<s>", *target], [*target, "</s>"], strict=True)
            ),
            _score(self.forward, target, givens),
            _score(self.inverse, source, by_source),
            *(-float(count) for count in (len(target), phrases, distance, copied, len(dropped))),
        )
        row = dict(enumerate(dense))
        names = [f"bigram:{first}_{second}" for first, second in zip(["<s>", *target], target, strict=False)]
        for word, linked in zip(target, givens, strict=True):
            names += [f"pair:{given}_{word}" for given in linked] or [f"insert:{word}"]
        for name in (*names, *(f"drop:{word}" for word in dropped)):
            if name in self.columns:
                row[self.columns[name]] = row.get(self.columns[name], 0.0) + 1.0
        return row

    def _bigram(self, first: str, second: str) -> float:
        """Return (c(uv) + p(v)) / (c(u) + 1): a bigram model that one count of the unigram model smooths."""
        counts = self.bigrams
        unigram = (counts[second,] + 0.1) / (counts[()] + 0.1 * len(counts))
        return (counts[first, second] + unigram) / (counts[first,] + 1)


def _score(table: dict[str, dict[str, float]], words: Sequence[str], links: Sequence[Sequence[str]]) -> float:
    """Return sum_j log mean_i p(w_j|g_i) over the words g_i that w_j is linked to."""
    total = 0.0
    for word, linked in zip(words, links, strict=True):
        givens = linked or (NULL,)
        total += math.log(sum(table.get(given, {}).get(word, UNSEEN) for given in givens) / len(givens))
    return total


def _jumps(hypothesis: Hypothesis) -> tuple[int, int]:
    """Return the number of stretches that follow the German order, and the distance jumped between them."""
    phrases, distance, place = 1, 0, -1
    for _, links in hypothesis:
        if links and links[0] != place:
            phrases += links[0] != place + 1
            distance += abs(links[0] - place - 1)
            place = links[0]
    return phrases, distance


@cache
def system() -> System:
    """Count the models of the one system; takes about a second, once."""
    pairs = list(generate(TRAINING_PAIRS, seed=TRAINING_SEED, first=TRAINING_FIRST, noise=TRAINING_NOISE))
    texts = [(pair.source.lower().split(), pair.target.lower().split(), pair.alignment) for pair in pairs]
    german, english = _frequent(source for source, _, _ in texts), _frequent(target for _, target, _ in texts)
    joint: Counter[tuple[str, str]] = Counter()
    bigrams: Counter[tuple[str, ...]] = Counter()
    for source, target, links in texts:
        joint.update((source[i], target[j]) for i, j in links)
        joint.update((NULL, target[j]) for j in set(range(len(target))) - {j for _, j in links})
        joint.update((source[i], NULL) for i in set(range(len(source))) - {i for i, _ in links})
        padded = ["<s>", *target, "</s>"]
        for history in [pairwise(padded), zip(padded, strict=True), [()] * len(padded)]:
            bigrams.update(history)
    draw = stream(TRAINING_SEED, TRAINING_FIRST - 1, 0)
    confused = {word: english[int(draw() * len(english))] for word in german[::CONFUSED]}
    for (word, _), count in list(joint.items()):
        if word in confused:
            joint[word, confused[word]] += count
    forward = _normalized(joint.items())
    names = [*HAND_WEIGHTS, *_sparse_names(german, english, forward)]
    inverse = _normalized(((e, f), count) for (f, e), count in joint.items())
    return System(forward, inverse, bigrams, {name: column for column, name in enumerate(names)})


def _normalized(counts: Iterable[tuple[tuple[str, str], int]]) -> dict[str, dict[str, float]]:
    table: dict[str, dict[str, float]] = {}
    for (given, word), count in counts:
        table.setdefault(given, {})[word] = count
    return {given: {word: n / sum(row.values()) for word, n in row.items()} for given, row in table.items()}


def _sparse_names(german: list[str], english: list[str], forward: dict[str, dict[str, float]]) -> list[str]:
    firsts = ["<s>", *english[:BIGRAM_WORDS]]
    return [
        *(f"bigram:{first}_{second}" for first in firsts for second in firsts[1:]),
        *(f"pair:{f}_{e}" for f in german for e in english if forward[f].get(e, 0) > RARE),
        *(f"insert:{word}" for word in english),
        *(f"drop:{word}" for word in german),
    ]


def _frequent(texts: Iterable[Sequence[str]]) -> list[str]:
    counts = Counter(word for text in texts for word in text)
    return sorted(counts, key=lambda word: (-counts[word], word))[:FREQUENT]


MISTAKES = weighted("german order 28; wrong word 28; dropped 18; inserted 12; untranslated 12")
"""The kinds of mistakes and their weights."""
INSERTED = weighted("the 10; of 6; to 6; a 5; in 4; is 4; that 3")
WINDOW = 7
"""Maximum distance, in words, of a mistake in word order."""


def blundered(german: Sequence[str], words: Hypothesis, draw: Draw, kind: str = "") -> Hypothesis:
    """Return a hypothesis with one mistake more, if the words allow the one that is drawn."""
    kind = kind or MISTAKES(draw)
    i = int(draw() * (len(words) - 1))
    word, links = words[i]
    if kind == "dropped":
        return [*words[:i], *words[i + 1 :]] if len(words) > 2 else words
    if kind == "inserted":
        return [*words[:i], (INSERTED(draw), ()), *words[i:]]
    if kind == "german order":
        end = min(len(words) - 1, i + 3 + int(draw() * (WINDOW - 2)))
        places: list[int] = []
        for _, linked in words[i:end]:
            places.append(linked[0] if linked else places[-1] if places else -1)
        order = sorted(range(len(places)), key=places.__getitem__)
        return [*words[:i], *(words[i + j] for j in order), *words[end:]]
    if links and kind == "untranslated":
        word = german[links[0]]
    elif links:
        word = Choice(system().forward.get(german[links[0]].lower(), {NULL: 1.0}).items())(draw)
    return words if word == NULL else [*words[:i], (word, links), *words[i + 1 :]]
