"""Compound splitting guided by parallel text: a true part is translated where its compound occurs."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from tunesmith.corpus import Bitext
from tunesmith.corpus.compounds import WordCounts, WordLattices
from tunesmith.errors import InputError
from tunesmith.extract.lexicon import Lexicon
from tunesmith.types import FloatArray, IntArray

__all__ = ["CompoundGuide"]

PLACES = 50
"""Maximum number of sentences examined per word."""

SAMPLE = 2000
"""Sentences used to estimate how often a translation occurs by chance."""

LOWEST = 0.01


@dataclass(frozen=True, eq=False)
class CompoundGuide:
    """Support of the parts of words by the target side of a bitext (after Koehn and Knight 2003).

    The translations of a part are the target words with p(e|f) of at least `min_probability`. If one of them
    occurs in a fraction p of the sentences whose source has the compound, and in a fraction c of all
    sentences, the support is

        max(0.01, (p - c) / (1 - c)):

    a translation that occurs no more often than by chance gives no support, which rules out articles and
    prepositions as parts. p is smoothed by one sentence of chance. Words not in the bitext have support 1.
    """

    bitext: Bitext
    lexicon: Lexicon
    min_probability: float = 0.01

    def __post_init__(self) -> None:
        if len(self.lexicon.target_vocabulary) < len(self.bitext.target.vocabulary):
            raise InputError(
                "the lexicon does not have the words of the bitext; estimate it from this bitext"
            )

    def __call__(self, lattices: WordLattices, words: WordCounts) -> FloatArray:
        """Return the support of each arc, 1 for whole words. O(arcs x sentences per word)."""
        translations = self._translations(words)
        chances = self._chances(translations, set(np.unique(lattices.parts).tolist()))
        result = np.ones(len(lattices.owners))
        borders = np.searchsorted(lattices.owners, np.arange(len(lattices) + 1)).tolist()
        parts = lattices.parts.tolist()
        none: frozenset[int] = frozenset()
        for owner, places in self._places(lattices).items():
            targets = [set(self.bitext.target[place].tolist()) for place in places]
            for arc in range(borders[owner], borders[owner + 1] - 1):  # the last one is the whole word
                wanted = translations.get(parts[arc], none)
                hits = sum(not wanted.isdisjoint(target) for target in targets)
                chance = chances.get(parts[arc], 0.0)
                share = (hits + chance) / (len(targets) + 1)
                result[arc] = max((share - chance) / (1 - chance), LOWEST) if chance < 1 else LOWEST
        return result

    def _translations(self, words: WordCounts) -> dict[int, frozenset[int]]:
        sources, targets, _, direct = self.lexicon.probabilities().columns()
        kept = (direct >= self.min_probability) & (sources >= 0) & (targets >= 0)
        numbers = [words.numbers.get(word.lower(), -1) for word in self.lexicon.source_vocabulary.words()]
        found: dict[int, set[int]] = defaultdict(set)
        for source, target in zip(sources[kept].tolist(), targets[kept].tolist(), strict=True):
            if numbers[source] >= 0:
                found[numbers[source]].add(target)
        return {number: frozenset(targets) for number, targets in found.items()}

    def _chances(self, translations: dict[int, frozenset[int]], parts: set[int]) -> dict[int, float]:
        """Return the fraction of sentences with a translation of a part, from a sample over the text."""
        step = max(len(self.bitext) // SAMPLE, 1)
        rows = range(0, len(self.bitext), step)
        sentences: dict[int, int] = defaultdict(int)  # the set of sentences with a word, as bits
        for bit, row in enumerate(rows):
            for word in set(self.bitext.target[row].tolist()):
                sentences[word] |= 1 << bit
        chances = {}
        for part in parts & translations.keys():
            union = 0
            for word in translations[part]:
                union |= sentences.get(word, 0)
            chances[part] = union.bit_count() / len(rows)
        return chances

    def _places(self, lattices: WordLattices) -> dict[int, list[int]]:
        """Return the first sentences of each word."""
        owners = {word: owner for owner, word in enumerate(lattices.words)}
        source = self.bitext.source
        table = np.array([owners.get(w.lower(), -1) for w in source.vocabulary.words()] + [-1])
        of_word: IntArray = table[source.words]
        rows = np.repeat(np.arange(len(source)), source.lengths)[of_word >= 0]
        found: dict[int, list[int]] = defaultdict(list)
        for owner, row in zip(of_word[of_word >= 0].tolist(), rows.tolist(), strict=True):
            places = found[owner]
            if len(places) < PLACES and (not places or places[-1] != row):
                places.append(row)
        return found
