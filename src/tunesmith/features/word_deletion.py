"""Counts of source words that are translated by nothing."""

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

__all__ = ["UNALIGNED_SOURCE", "WordDeletion"]

UNALIGNED_SOURCE = "unaligned.source.txt"
"""The list of the model: source words by how often they have no link in the training text."""


@TEMPLATES.register("word-deletion")
@dataclass(frozen=True)
class WordDeletion(Lexical, PairTemplate):
    """A count `Deletion_f` of source words f of a pair that have no link.

    f is one of the `top` words that are most often without a link in the training text, or `OTHER`.
    """

    name: str = "Deletion"
    top: int = option(150, help="Number of words with a feature of their own.", least=0)

    def with_lists(self, directory: Path) -> Self:
        """Return the template with its words or classes."""
        if self.classes:
            return super().with_lists(directory)
        return replace(self, source_labels=Labels.read_top(directory, UNALIGNED_SOURCE, self.top))

    def admits_parts(self, parts: list[str]) -> bool:
        """Return whether there is a source word."""
        return len(parts) == 1 and self.is_source(parts[0])

    def values(self, pair: Pair) -> Values:
        """Return the counts of a pair."""
        linked = {i for i, _ in pair.alignment}
        words = (word for i, word in enumerate(pair.source) if isinstance(word, str) and i not in linked)
        labels = filter(None, map(self.source_label, words))
        return self.reduced(Counter(f"{self.name}_{label}" for label in labels))

    def twin(self) -> _native.PairFeature:
        """Return the native feature."""
        return _native.WordDeletionFeature(*self.native_parts())
