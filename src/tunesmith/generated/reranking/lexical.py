"""Lexical translation probabilities, counted over the links of aligned pairs."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tunesmith.generated.pairs import SentencePair

__all__ = ["NULL", "LexicalModel"]

NULL = "<null>"
"""The partner of an unaligned word."""

UNSEEN = 1e-4
"""The probability of a pair that was never seen."""


@dataclass(frozen=True)
class LexicalModel:
    """p(e|f) = c(e, f) / c(f) and p(f|e) = c(e, f) / c(e), Koehn et al. (2003); words are lowercase."""

    forward: dict[str, dict[str, float]]
    """By German word, then English word."""
    inverse: dict[str, dict[str, float]]
    """By English word, then German word."""

    @classmethod
    def train(cls, pairs: Iterable[SentencePair], confused: Mapping[str, str]) -> LexicalModel:
        """Count links; words without one count with NULL.

        A word in `confused` is taken for the translation of a word that it has nothing to do with,
        every second time: what systems learn from bad alignments.
        """
        joint: Counter[tuple[str, str]] = Counter()
        for pair in pairs:
            source, target = pair.source.lower().split(), pair.target.lower().split()
            joint.update((source[i], target[j]) for i, j in pair.alignment)
            linked_sources, linked_targets = {i for i, _ in pair.alignment}, {j for _, j in pair.alignment}
            joint.update((word, NULL) for i, word in enumerate(source) if i not in linked_sources)
            joint.update((NULL, word) for j, word in enumerate(target) if j not in linked_targets)
        for (german, _), count in list(joint.items()):
            if german in confused:
                joint[german, confused[german]] += count
        return cls(
            _normalized(((f, e), count) for (f, e), count in joint.items()),
            _normalized(((e, f), count) for (f, e), count in joint.items()),
        )

    def forward_score(self, target: Sequence[str], links: Sequence[Sequence[str]]) -> float:
        """Return sum_j log mean_i p(e_j|f_i) over the German words i that e_j is linked to."""
        return _score(self.forward, target, links)

    def inverse_score(self, source: Sequence[str], links: Sequence[Sequence[str]]) -> float:
        """Return sum_i log mean_j p(f_i|e_j) over the English words j that f_i is linked to."""
        return _score(self.inverse, source, links)


def _normalized(counts: Iterable[tuple[tuple[str, str], int]]) -> dict[str, dict[str, float]]:
    table: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for (given, word), count in counts:
        table[given][word] = count
    for row in table.values():
        total = sum(row.values())
        for word in row:
            row[word] /= total
    return dict(table)


_NULL_LINK = (NULL,)
_EMPTY: dict[str, float] = {}


def _score(table: dict[str, dict[str, float]], words: Sequence[str], links: Sequence[Sequence[str]]) -> float:
    total = 0.0
    for word, linked in zip(words, links, strict=True):
        givens = linked or _NULL_LINK
        mass = 0.0
        for given in givens:
            mass += table.get(given, _EMPTY).get(word, UNSEEN)
        total += math.log(mass / len(givens))
    return total
