"""Bigrams across phrase boundaries."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from tunesmith.features.base import TEMPLATES, Sentence, StatefulTemplate, Step, Values
from tunesmith.features.word_parts import END, START, is_word_part, word_part

__all__ = ["BorderBigrams"]

Borders = tuple[str, str] | None
"""The first and the last word of a piece, as names have them; None for a piece without words."""


@TEMPLATES.register("border-bigrams")
@dataclass(frozen=True)
class BorderBigrams(StatefulTemplate[Borders]):
    """A count `BorderBigram_a_b` for adjacent words a and b from different rules.

    Bigrams within a phrase are not counted. The sentence begins with `<s>` and ends with `</s>`.
    """

    name: str = "BorderBigram"

    def admits(self, name: str) -> bool:
        """Return whether a name has two words."""
        parts = (self.rest_of(name) or "").split("_")
        return len(parts) == 2 and all(
            part == border or is_word_part(part) for part, border in zip(parts, (START, END), strict=True)
        )

    def start(self, sentence: Sentence) -> Borders:
        """Return the borders of the sentence start."""
        return (START, START)

    def apply(self, tails: tuple[Borders, ...], step: Step) -> tuple[Borders, Values]:
        """Count the bigrams between each gap of the rule and its neighbors."""
        counts: Counter[str] = Counter()
        found: Borders = None
        after_gap = False
        for symbol in step.target:
            is_gap = isinstance(symbol, int)
            piece = tails[-1 - symbol] if isinstance(symbol, int) else (word_part(symbol),) * 2
            if piece is None:
                continue
            if found is not None and (is_gap or after_gap):
                counts[f"{self.name}_{found[1]}_{piece[0]}"] += 1
            found = piece if found is None else (found[0], piece[1])
            after_gap = is_gap
        return found, counts

    def finish(self, state: Borders) -> Values:
        """Return the bigram of the last word and `</s>`."""
        return {} if state is None else {f"{self.name}_{state[1]}_{END}": 1.0}
