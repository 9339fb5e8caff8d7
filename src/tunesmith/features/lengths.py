"""Indicators of the lengths of both sides."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from tunesmith import _native
from tunesmith.features.base import TEMPLATES, Pair, PairTemplate, Values

__all__ = ["Lengths"]

_MOST = 64
_FORM = re.compile(r"[st](0|[1-9]\d?)|(0|[1-9]\d?)x(0|[1-9]\d?)")


@TEMPLATES.register("lengths")
@dataclass(frozen=True)
class Lengths(PairTemplate):
    """Indicators `Length_sS`, `Length_tT` and `Length_SxT` for S source words and T target words.

    Gaps do not count; a word that is passed through has the lengths 1 and 1. `phrase-length` has only the
    third, for known words.
    """

    name: str = "Length"
    sees_unknown: ClassVar[bool] = True

    def admits(self, name: str) -> bool:
        """Return whether a name has one length or two, none above the largest."""
        rest = self.rest_of(name) or ""
        numbers = [int(number) for number in re.findall(r"\d+", rest)]
        return _FORM.fullmatch(rest) is not None and max(numbers) <= _MOST

    def values(self, pair: Pair) -> Values:
        """Return the three indicators of a pair; phrases given by the input have none."""
        if not pair.source:
            return {}
        source, target = (
            min(_MOST, sum(isinstance(each, str) for each in side)) for side in (pair.source, pair.target)
        )
        return dict.fromkeys(
            (f"{self.name}_s{source}", f"{self.name}_t{target}", f"{self.name}_{source}x{target}"), 1.0
        )

    def twin(self) -> _native.PairFeature:
        """Return the native feature."""
        return _native.LengthFeature(self.name)
