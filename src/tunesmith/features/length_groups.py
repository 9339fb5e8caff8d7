"""The scores of rules, by ranges of their lengths."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from tunesmith import _native
from tunesmith.errors import OptionError
from tunesmith.features.base import TEMPLATES, Pair, PairTemplate, Values
from tunesmith.options import check_options, require_at_least, require_at_most

__all__ = ["TRANSLATION_SCORES", "LengthGroups"]

TRANSLATION_SCORES = (
    *(f"TranslationModel0_{i}" for i in range(4)),
    "EgivenFCoherent",
    "FgivenE",
    "MaxLexEgivenF",
    "MaxLexFgivenE",
)
"""The two relative frequencies and the two lexical weights, as phrase tables and as grammars name them."""

_SIDES = {
    "source": _native.GroupedSides.SOURCE,
    "target": _native.GroupedSides.TARGET,
    "product": _native.GroupedSides.PRODUCT,
}
_MOST = 20


@TEMPLATES.register("length-groups")
@dataclass(frozen=True)
class LengthGroups(PairTemplate):
    """The grouped features of Xia, Zhai and Wang (2019, section 4).

    `LengthGroup_sA-B_F` is the rule's own score F, as the model has it, if A <= length of the source side
    <= B, for all ranges [A, B] within [1, `longest`]: 55 for 10, and 220 features of four scores. A length
    counts words and gaps; sides that are longer count as `longest`.

    - `sides`: `source`, `target` (features `LengthGroup_tA-B_F`), or `product`, which has a range for both
      (`LengthGroup_sA-B_tC-D_F`; 12,100 features of four scores).
    - `features`: the scores F, each of which the model must have; by default those of `TRANSLATION_SCORES`
      that it has.
    """

    sides: Literal["source", "target", "product"] = "source"
    features: tuple[str, ...] = ()
    longest: int = 10
    name: str = "LengthGroup"

    def __post_init__(self) -> None:
        check_options(self, self.name)
        if not isinstance(self.features, tuple) or not all(isinstance(name, str) for name in self.features):
            raise OptionError(f"{self.name}: features must be a tuple of names, not {self.features!r}")
        require_at_least(1, self.name, longest=self.longest)
        require_at_most(_MOST, self.name, longest=self.longest)

    def admits(self, name: str) -> bool:
        """Return whether a name has ranges of lengths and one of the scores."""
        rest = self.rest_of(name) or ""
        scores = self.features or TRANSLATION_SCORES
        return any(
            rest.endswith(f"_{score}") and rest.removesuffix(f"_{score}") in self._every_group
            for score in scores
        )

    @cached_property
    def _every_group(self) -> frozenset[str]:
        lengths = range(1, self.longest + 1)
        ranges = [f"{low}-{high}" for low in lengths for high in lengths if low <= high]
        if self.sides == "product":
            return frozenset(f"s{source}_t{target}" for source in ranges for target in ranges)
        return frozenset(f"{self.sides[0]}{each}" for each in ranges)

    def values(self, pair: Pair) -> Values:
        """Return each nonzero score once per group of the pair."""
        scores = [(name, pair.scores.get(name, 0.0)) for name in self.features or TRANSLATION_SCORES]
        return {
            f"{self.name}_{group}_{name}": value
            for group in self._groups(pair)
            for name, value in scores
            if value
        }

    def twin(self) -> _native.ScoreFeature:
        """Return the native feature."""
        scores = list(self.features or TRANSLATION_SCORES)
        return _native.LengthGroupFeature(
            self.name, scores, _SIDES[self.sides], self.longest, needs_all=bool(self.features)
        )

    def _groups(self, pair: Pair) -> Iterator[str]:
        sources, targets = (list(self._ranges(len(side))) for side in (pair.source, pair.target))
        if self.sides == "source":
            yield from (f"s{source}" for source in sources)
        elif self.sides == "target":
            yield from (f"t{target}" for target in targets)
        else:
            yield from (f"s{source}_t{target}" for source in sources for target in targets)

    def _ranges(self, length: int) -> Iterator[str]:
        counted = min(length, self.longest)
        for low in range(1, counted + 1):
            for high in range(counted, self.longest + 1):
                yield f"{low}-{high}"
