"""Indicators of phrase lengths."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tunesmith import _native
from tunesmith.features.base import TEMPLATES, Pair, PairTemplate, Values

__all__ = ["PhraseLength"]


_LENGTHS = re.compile(r"(0|[1-9]\d*)x(0|[1-9]\d*)")


@TEMPLATES.register("phrase-length")
@dataclass(frozen=True)
class PhraseLength(PairTemplate):
    """An indicator `PhraseLength_SxT` for S source words and T target words; gaps do not count."""

    name: str = "PhraseLength"

    def admits(self, name: str) -> bool:
        """Return whether a name has two lengths."""
        return _LENGTHS.fullmatch(self.rest_of(name) or "") is not None

    def values(self, pair: Pair) -> Values:
        """Return the one indicator of a pair."""
        return {f"{self.name}_{_words(pair.source)}x{_words(pair.target)}": 1.0}

    def twin(self) -> _native.PairFeature | None:
        """Return the native feature."""
        return _native.PhraseLengthFeature(self.name)


def _words(side: tuple[str | int, ...]) -> int:
    return sum(isinstance(symbol, str) for symbol in side)
