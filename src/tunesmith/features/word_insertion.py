"""Counts of target words that translate nothing."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from tunesmith import _native
from tunesmith.features.base import TEMPLATES, Pair, PairTemplate, Values
from tunesmith.features.labels import Labels
from tunesmith.features.lexical import Lexical
from tunesmith.options import option

__all__ = ["UNALIGNED_TARGET", "WordInsertion"]

UNALIGNED_TARGET = "unaligned.target.txt"
"""The list of the model: target words by how often they have no link in the training text."""


@TEMPLATES.register("word-insertion")
@dataclass(frozen=True)
class WordInsertion(Lexical, PairTemplate):
    """A count `Insertion_e` of target words e of a pair that have no link.

    e is one of the `top` words that are most often without a link in the training text, or `OTHER`.
    """

    name: str = "Insertion"
    top: int = option(150, help="Number of words with a feature of their own.", least=0)

    def with_lists(self, directory: Path) -> Self:
        """Return the template with its words or classes."""
        if self.classes:
            return super().with_lists(directory)
        return replace(self, target_labels=Labels.read_top(directory, UNALIGNED_TARGET, self.top))

    def admits_parts(self, parts: list[str]) -> bool:
        """Return whether there is a target word."""
        return len(parts) == 1 and self.is_target(parts[0])

    def values(self, pair: Pair) -> Values:
        """Return the counts of a pair."""
        linked = {j for _, j in pair.alignment}
        words = (word for j, word in enumerate(pair.target) if isinstance(word, str) and j not in linked)
        labels = filter(None, map(self.target_label, words))
        return self.reduced(Counter(f"{self.name}_{label}" for label in labels))

    def twin(self) -> _native.PairFeature:
        """Return the native feature."""
        return _native.WordInsertionFeature(*self.native_parts())
