"""Sparse features for reranking, in the manner of the paper's: lexical and fertility-based."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from tunesmith.features import Pair, PairTemplate, Values


@dataclass(frozen=True)
class LexicalPairs(PairTemplate):
    """Counts of linked words, `Lexical_s_t`, and of words without a link, `Lexical_s_` and `Lexical__t`."""

    name: str = "Lexical"

    def values(self, pair: Pair) -> Values:
        """Return the counts within a rule."""
        linked = [{link[side] for link in pair.alignment} for side in (0, 1)]
        counts = Counter(
            f"{self.name}_{pair.source[source]}_{pair.target[target]}"
            for source, target in pair.alignment
            if isinstance(pair.source[source], str)
        )
        counts.update(f"{self.name}_{word}_" for word in _free(pair.source, linked[0]))
        counts.update(f"{self.name}__{word}" for word in _free(pair.target, linked[1]))
        return counts


@dataclass(frozen=True)
class Fertility(PairTemplate):
    """Counts `Fertility_s_n` of source words s that are linked to n target words of their rule."""

    name: str = "Fertility"

    def values(self, pair: Pair) -> Values:
        """Return the counts within a rule."""
        links = Counter(source for source, _ in pair.alignment)
        return Counter(
            f"{self.name}_{word}_{links[place]}"
            for place, word in enumerate(pair.source)
            if isinstance(word, str)
        )


def _free(side: tuple[str | int, ...], linked: set[int]) -> list[str]:
    """Return the words of a side that no link touches."""
    return [word for place, word in enumerate(side) if isinstance(word, str) and place not in linked]
