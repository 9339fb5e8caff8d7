"""Indicators of the order of words and gaps in rules."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

from tunesmith import _native
from tunesmith.features.base import TEMPLATES, Pair, PairTemplate, Values

__all__ = ["RuleShape"]


_SHAPES = re.compile(r"(w|X[12])(_(w|X[12]))*_~_((w|X[12])(_(w|X[12]))*)?")


@TEMPLATES.register("rule-shape")
@dataclass(frozen=True)
class RuleShape(PairTemplate):
    """An indicator `RuleShape_w_X1_~_X1_w`: the rule with each run of words replaced by `w`.

    The rule shapes of Simianer, Riezler and Dyer (2012, section 3). All phrase pairs have the same shape.
    """

    name: str = "RuleShape"

    def admits(self, name: str) -> bool:
        """Return whether a name has the shapes of two sides."""
        return _SHAPES.fullmatch(self.rest_of(name) or "") is not None

    def values(self, pair: Pair) -> Values:
        """Return the one indicator of a rule."""
        return {f"{self.name}_{_shape(pair.source)}_~_{_shape(pair.target)}": 1.0}

    def twin(self) -> _native.PairFeature:
        """Return the native feature."""
        return _native.RuleShapeFeature(self.name)


def _shape(side: tuple[str | int, ...]) -> str:
    parts = ("w" if isinstance(symbol, str) else f"X{-symbol}" for symbol in side)
    return "_".join(part for part, _ in itertools.groupby(parts))
