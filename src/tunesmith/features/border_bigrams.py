"""Which words meet where phrases meet."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from tunesmith.features.base import TEMPLATES, Sentence, StatefulTemplate, Step, Values

__all__ = ["BorderBigrams"]

Borders = tuple[str, str] | None
"""The first and the last word of a piece; None of a piece without words."""


@TEMPLATES.register("border-bigrams")
@dataclass(frozen=True)
class BorderBigrams(StatefulTemplate[Borders]):
    """A count `BorderBigram_a_b` for words a and b side by side that come from different rules.

    Pairs within a phrase are a matter of the phrase pair. The sentence begins with `<s>` and ends with
    `</s>`.
    """

    name: str = "BorderBigram"

    def start(self, sentence: Sentence) -> Borders:
        """Return the borders of the begin of a sentence."""
        return ("<s>", "<s>")

    def apply(self, tails: tuple[Borders, ...], step: Step) -> tuple[Borders, Values]:
        """Look at all places where a gap of the rule has a neighbor."""
        counts: Counter[str] = Counter()
        found: Borders = None
        after_gap = False
        for symbol in step.target:
            is_gap = isinstance(symbol, int)
            piece = tails[-1 - symbol] if isinstance(symbol, int) else (symbol, symbol)
            if piece is None:
                continue
            if found is not None and (is_gap or after_gap):
                counts[f"{self.name}_{found[1]}_{piece[0]}"] += 1
            found = piece if found is None else (found[0], piece[1])
            after_gap = is_gap
        return found, counts

    def finish(self, state: Borders) -> Values:
        """Return the pair of the last word and the end."""
        return {} if state is None else {f"{self.name}_{state[1]}_</s>": 1.0}
