"""Bigrams of target words."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass

from tunesmith import _native
from tunesmith.features.base import TEMPLATES, Pair, Sentence, StatefulTemplate, Step, Values
from tunesmith.features.lexical import Lexical
from tunesmith.features.word_parts import END, START

__all__ = ["TargetBigrams"]

Ends = tuple[str, str] | None
"""The labels of the first and the last word of a piece; None for a piece without words."""


@TEMPLATES.register("target-bigrams")
@dataclass(frozen=True)
class TargetBigrams(Lexical, StatefulTemplate[Ends]):
    """A count `TargetBigram_a_b` of all adjacent target words a and b, within rules and between them.

    The sentence begins with `<s>` and ends with `</s>`. The native twin is two features: the bigrams within
    a rule are features of the rule alone, and those between rules need the word before.
    """

    name: str = "TargetBigram"

    def admits_parts(self, parts: list[str]) -> bool:
        """Return whether there are two words, or a word and a border of the sentence."""
        return len(parts) == 2 and all(
            part == border or self.is_target(part) for part, border in zip(parts, (START, END), strict=True)
        )

    def start(self, sentence: Sentence) -> Ends:
        """Return the ends of the sentence start."""
        return (START, START)

    def apply(self, tails: tuple[Ends, ...], step: Step) -> tuple[Ends, Values]:
        """Count the bigrams that the step completes."""
        counts: Counter[str] = Counter()
        found: Ends = None
        for symbol in step.target:
            piece = tails[-1 - symbol] if isinstance(symbol, int) else (self.target_label(symbol),) * 2
            if piece is None:
                continue
            if found is not None and found[1] and piece[0]:
                counts[f"{self.name}_{found[1]}_{piece[0]}"] += 1
            found = piece if found is None else (found[0], piece[1])
        return found, self.reduced(counts)

    def finish(self, state: Ends) -> Values:
        """Return the bigram of the last word and `</s>`."""
        if state is None or not state[1]:
            return {}
        return self.reduced({f"{self.name}_{state[1]}_{END}": 1.0})

    def estimate(self, pair: Pair) -> Values:
        """Return the bigrams within a rule."""
        words = [self.target_label(each) if isinstance(each, str) else None for each in pair.target]
        pairs = itertools.pairwise(words)
        return self.reduced(Counter(f"{self.name}_{a}_{b}" for a, b in pairs if a and b))

    def twin(self) -> tuple[_native.PairFeature, _native.StatefulFeature]:
        """Return the native features."""
        parts = self.native_parts()
        return _native.InnerBigramFeature(*parts), _native.CrossingBigramFeature(*parts)
