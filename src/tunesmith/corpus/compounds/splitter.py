"""The trained splitter: segmentations of words with their probabilities."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tunesmith.corpus.compounds.features import PART, WHOLE_WORD, feature_names, part_features, whole_features
from tunesmith.corpus.compounds.options import CompoundOptions
from tunesmith.corpus.compounds.parts import WHOLE, Arc, PartFinder
from tunesmith.corpus.compounds.search import arc_probabilities, best_by_mean, best_by_sum
from tunesmith.corpus.compounds.words import UNKNOWN_COUNT, WordCounts
from tunesmith.errors import InputError, OptionError, suggest
from tunesmith.immutable import unshared
from tunesmith.texts import Texts
from tunesmith.types import FloatArray

__all__ = ["METHODS", "CompoundSplitter", "SplitArc", "check_method"]

METHODS = ("log-linear", "frequency")
"""The most probable segmentation, or the highest geometric mean of counts (Koehn and Knight)."""


class SplitArc(NamedTuple):
    """A word or a part of it between two nodes, which count from 0 to the end of the word."""

    start: int
    end: int
    text: str
    log_probability: float
    is_part: bool


@dataclass(frozen=True, eq=False)
class CompoundSplitter:
    """Splits words into parts that are words of the training text.

    A segmentation's probability is proportional to exp of the weighted sum of its features. Parts are written
    in their most frequent form in the text; unsplit words are unchanged.
    """

    words: WordCounts
    options: CompoundOptions
    weights: Mapping[str, float]
    supports: FloatArray
    _best: dict[str, dict[str, str]] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "supports", unshared(np.asarray(self.supports, dtype=np.float64)))
        names = feature_names(self.options.linker_list)
        if set(names) != set(self.weights):
            odd = sorted(set(names) ^ set(self.weights))
            raise InputError(f"the weights do not fit the features: {', '.join(odd[:5])}")
        if not (np.isfinite([*self.weights.values()]).all() and np.isfinite(self.supports).all()):
            raise InputError("a weight or a support is not finite")
        if len(self.supports) != len(self.words):
            raise InputError(f"found {len(self.supports)} supports for {len(self.words)} words")

    def arcs(self, word: str) -> tuple[list[Arc], list[float]]:
        """Return all arcs of a word, sorted, the whole word included, and their scores."""
        key = word.lower()
        found = self._finder.arcs(key)
        whole = Arc(0, len(key), self.words.numbers.get(key, -1), WHOLE)
        if not found:
            return [whole], [0.0]
        arcs = sorted([*found, whole])
        return arcs, [
            self._whole_score(key)
            if a.linker == WHOLE
            else self._part_scores[a.word] + self._linker_scores[a.linker]
            for a in arcs
        ]

    def segmentations(self, word: str, *, limit: int = 10) -> list[tuple[float, tuple[str, ...]]]:
        """Return the most probable segmentations, at most `limit`, with their probabilities, best first."""
        arcs, scores = self.arcs(word)
        size = len(word.lower())
        shares = dict(zip(arcs, arc_probabilities(arcs, scores, size), strict=True))
        return [
            (math.exp(sum(shares[arc] for arc in path)), tuple(self._text(arc, word) for arc in path))
            for _, path in best_by_sum(arcs, scores, size, limit)
        ]

    def lattice(self, word: str, *, threshold: float = 0.02, limit: int = 4) -> list[SplitArc]:
        """Return the arcs of the probable segmentations of a word, and always of the unsplit word.

        Keeps segmentations with a probability of at least the threshold (as in Dyer 2009), at most `limit`
        besides the unsplit word, and renormalizes their probabilities. Segmentations share nodes at common
        borders, so that the lattice may also contain combinations of kept segmentations.
        """
        arcs, scores = self.arcs(word)
        if len(arcs) == 1:
            return [SplitArc(0, 1, word, 0.0, False)]
        size = len(word.lower())
        shares = dict(zip(arcs, arc_probabilities(arcs, scores, size), strict=True))
        lowest = math.log(threshold) if threshold > 0 else -math.inf
        paths = [
            path
            for _, path in best_by_sum(arcs, scores, size, limit + 1)
            if path[0].linker != WHOLE and sum(shares[arc] for arc in path) >= lowest
        ]
        on_paths = {arc for path in paths[:limit] for arc in path}
        kept = [(a, s) for a, s in zip(arcs, scores, strict=True) if a.linker == WHOLE or a in on_paths]
        places = {
            place: node for node, place in enumerate(sorted({p for a, _ in kept for p in (a.start, a.end)}))
        }
        logs = arc_probabilities([a for a, _ in kept], [s for _, s in kept], size)
        return [
            SplitArc(places[a.start], places[a.end], self._text(a, word), log, a.linker != WHOLE)
            for (a, _), log in zip(kept, logs, strict=True)
        ]

    def split(self, word: str, method: str = "log-linear") -> tuple[str, ...]:
        """Return the parts of the best segmentation of a word; the word itself if that is the best."""
        check_method(method)
        arcs, scores = self.arcs(word)
        size = len(word.lower())
        if len(arcs) == 1:
            return (word,)
        if method == "frequency":
            counts = self.words.counts
            values = [math.log(counts[a.word] if a.word >= 0 else UNKNOWN_COUNT) for a in arcs]
            path = best_by_mean(arcs, values, size, self.options.max_parts)[1]
        else:
            path = best_by_sum(arcs, scores, size, 1)[0][1]
        return tuple(self._text(arc, word) for arc in path)

    def segment(self, lines: Iterable[str], method: str = "log-linear") -> Texts:
        """Return tokenized lines with each word replaced by its parts. Distinct words are searched once."""
        known = self._best.setdefault(method, {})

        def parts(line: str) -> str:
            words = [word for word in line.split(" ") if word]
            for word in words:
                if word not in known:
                    known[word] = " ".join(self.split(word, method))
            return " ".join([known[word] for word in words])

        return Texts.of(map(parts, lines))

    @cached_property
    def _finder(self) -> PartFinder:
        return PartFinder(self.words, self.options)

    def _vector(self, names: Iterable[str]) -> FloatArray:
        return np.array([self.weights[name] for name in names])

    @cached_property
    def _part_scores(self) -> list[float]:
        scores: list[float] = (part_features(self.words, self.supports) @ self._vector(PART)).tolist()
        return scores

    @cached_property
    def _linker_scores(self) -> list[float]:
        return [0.0, *(self.weights[f"Linker{linker}"] for linker in self.options.linker_list[1:])]

    def _whole_score(self, key: str) -> float:
        count, length = np.array([self.words.count(key)]), np.array([len(key)])
        return float(whole_features(count, length, self.words.total)[0] @ self._whole_weights)

    @cached_property
    def _whole_weights(self) -> FloatArray:
        return self._vector(WHOLE_WORD)

    def _text(self, arc: Arc, word: str) -> str:
        return word if arc.linker == WHOLE else self.words.forms[arc.word]


def check_method(method: str) -> None:
    """Raise OptionError unless this is one of `METHODS`."""
    if method not in METHODS:
        hint = suggest(method, METHODS)
        raise OptionError("compounds: {} cannot be {method!r}{hint}", "method", method=method, hint=hint)
