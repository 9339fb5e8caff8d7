"""Counts of linked words."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from tunesmith import _native
from tunesmith.features.base import TEMPLATES, Pair, PairTemplate, Values
from tunesmith.features.lexical import Lexical
from tunesmith.options import option

__all__ = ["WordTranslations", "linked_words"]


@TEMPLATES.register("word-translations")
@dataclass(frozen=True)
class WordTranslations(Lexical, PairTemplate):
    """A count `WordTranslation_f_e` of links between a source word f and a target word e.

    Unknown words have none: what is passed through is in all translations of a sentence, so nothing can be
    learned about it. With `unknown`, as in Moses, it is linked to itself.
    """

    name: str = "WordTranslation"
    unknown: bool = option(False, help="Features of unknown words, passed through, as in Moses.")
    sees_unknown: ClassVar[bool] = True

    def admits_parts(self, parts: list[str]) -> bool:
        """Return whether there are a source and a target word."""
        return len(parts) == 2 and self.is_source(parts[0]) and self.is_target(parts[1])

    def values(self, pair: Pair) -> Values:
        """Return the counts of a pair."""
        counts: Counter[str] = Counter()
        if not (pair.known or self.unknown):
            return counts
        for _, source, target in linked_words(pair):
            labels = self.source_label(source), self.target_label(target)
            if all(labels):
                counts["_".join((self.name, *labels))] += 1
        return self.reduced(counts)

    def twin(self) -> _native.PairFeature:
        """Return the native feature."""
        return _native.WordTranslationFeature(*self.native_parts(), self.unknown)


def linked_words(pair: Pair) -> list[tuple[int, str, str]]:
    """Return the position of the source word, the source word and the target word of each link."""
    found = []
    for i, j in pair.alignment:
        source, target = pair.source[i], pair.target[j]
        if isinstance(source, str) and isinstance(target, str):
            found.append((i, source, target))
    return found
