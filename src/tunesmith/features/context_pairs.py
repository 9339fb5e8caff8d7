"""Word pairs with their neighbors in the source sentence."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Self

from tunesmith import _native
from tunesmith.features.base import TEMPLATES, Pair, PlacedTemplate, Sentence, Span, Values
from tunesmith.features.labels import WordPairs
from tunesmith.features.lexical import Lexical
from tunesmith.features.word_parts import END, START
from tunesmith.features.word_translations import linked_words
from tunesmith.options import option

__all__ = ["WORD_PAIRS", "ContextPairs"]

WORD_PAIRS = "word-pairs.txt"
"""The list of the model: linked words of the training text by frequency."""


@TEMPLATES.register("context-pairs")
@dataclass(frozen=True)
class ContextPairs(Lexical, PlacedTemplate):
    """Counts `ContextPair_f_e_l_g` and `ContextPair_f_e_r_h` of links of f and e with neighbors of f.

    g is the source word before f in the sentence, `<s>` if there is none, and h the word after it, or
    `</s>`; f and e are one of the `top` most frequent pairs of linked words of the training text. These are
    the context-dependent word pairs of Chiang, Knight and Wang (2009). Lattices have no such features.
    """

    name: str = "ContextPair"
    top: int = option(300, help="Number of word pairs.", least=0)
    pairs: WordPairs | None = None

    def with_lists(self, directory: Path) -> Self:
        """Return the template with its word pairs and classes."""
        return replace(super().with_lists(directory), pairs=WordPairs.read(directory, WORD_PAIRS, self.top))

    def admits_parts(self, parts: list[str]) -> bool:
        """Return whether there are a listed pair, a side, and the word there."""
        if len(parts) != 4 or parts[2] not in ("l", "r"):
            return False
        border = START if parts[2] == "l" else END
        listed = self._names_of_pairs
        return (parts[3] == border or self.is_source(parts[3])) and (
            (parts[0], parts[1]) in listed
            if listed is not None
            else self.is_source(parts[0]) and self.is_target(parts[1])
        )

    @cached_property
    def _names_of_pairs(self) -> frozenset[tuple[str, str]] | None:
        """What names have for the listed pairs."""
        if self.pairs is None:
            return None
        return frozenset((self.source_label(a), self.target_label(b)) for a, b in self.pairs.pairs)

    def values(self, pair: Pair, span: Span, sentence: Sentence) -> Values:
        """Return the counts of a pair at a place; without a list of pairs there are none."""
        counts: Counter[str] = Counter()
        if not sentence.words or self.pairs is None:
            return counts
        columns = _columns(pair, span)
        labels = [START, *map(self.source_label, sentence.words), END]
        for position, source, target in linked_words(pair):
            if (source, target) not in self.pairs.set:
                continue
            at = columns[position] + 1
            own = labels[at], self.target_label(target)
            for side, beside in (("l", labels[at - 1]), ("r", labels[at + 1])):
                if all(own) and beside:
                    counts["_".join((self.name, *own, side, beside))] += 1
        return self.reduced(counts)

    def twin(self) -> _native.PlacedFeature:
        """Return the native feature."""
        name, source, target, only = self.native_parts()
        pairs = [] if self.pairs is None else list(self.pairs.pairs)
        return _native.ContextPairFeature(name, pairs, source, target, only)


def _columns(pair: Pair, span: Span) -> list[int]:
    """Return the column where each symbol of the source side begins."""
    columns, at = [], span.begin
    for symbol in pair.source:
        columns.append(at)
        at = at + 1 if isinstance(symbol, str) else span.gaps[-1 - symbol][1]
    return columns
