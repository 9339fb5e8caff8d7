"""Indicators of the number of source words that rules cover."""

from __future__ import annotations

from dataclasses import dataclass

from tunesmith import _native
from tunesmith.features.base import TEMPLATES, Pair, PlacedTemplate, Sentence, Span, Values

__all__ = ["MOST_COLUMNS", "SIZES", "SpanLength", "size_of"]

MOST_COLUMNS = 10
"""Sizes from this on have one feature."""

SIZES = frozenset(map(str, range(1, MOST_COLUMNS + 1)))
"""What names have for sizes."""


@TEMPLATES.register("span-length")
@dataclass(frozen=True)
class SpanLength(PlacedTemplate):
    """An indicator `SpanLength_K` for a rule with gaps that covers K source columns, 10 if more."""

    name: str = "SpanLength"

    def admits(self, name: str) -> bool:
        """Return whether a name has a size."""
        return self.rest_of(name) in SIZES

    def values(self, pair: Pair, span: Span, sentence: Sentence) -> Values:
        """Return the one indicator of a rule with gaps."""
        return {f"{self.name}_{size_of(span.begin, span.end)}": 1.0} if span.gaps else {}

    def twin(self) -> _native.PlacedFeature:
        """Return the native feature."""
        return _native.SpanLengthFeature(self.name)


def size_of(begin: int, end: int) -> int:
    """Return the number of columns as names have it."""
    return min(max(end - begin, 1), MOST_COLUMNS)
