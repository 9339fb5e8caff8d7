"""Counts of linked words."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from tunesmith import _native
from tunesmith.features.base import TEMPLATES, Pair, PairTemplate, Values
from tunesmith.features.lexical import Lexical

__all__ = ["WordTranslations", "linked_words"]


@TEMPLATES.register("word-translations")
@dataclass(frozen=True)
class WordTranslations(Lexical, PairTemplate):
    """A count `WordTranslation_f_e` of links between a source word f and a target word e.

    A word that is passed through is linked to itself.
    """

    name: str = "WordTranslation"
    sees_unknown: ClassVar[bool] = True

    def values(self, pair: Pair) -> Values:
        """Return the counts of a pair."""
        counts: Counter[str] = Counter()
        for _, source, target in linked_words(pair):
            counts[f"{self.name}_{self.source_label(source)}_{self.target_label(target)}"] += 1
        return self.reduced(counts)

    def twin(self) -> _native.PairFeature:
        """Return the native feature."""
        return _native.WordTranslationFeature(*self.native_parts())


def linked_words(pair: Pair) -> list[tuple[int, str, str]]:
    """Return the position of the source word, the source word and the target word of each link."""
    found = []
    for i, j in pair.alignment:
        source, target = pair.source[i], pair.target[j]
        if isinstance(source, str) and isinstance(target, str):
            found.append((i, source, target))
    return found
