"""Counts of gaps by size and reordering."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from tunesmith import _native
from tunesmith.features.base import TEMPLATES, Pair, PlacedTemplate, Sentence, Span, Values
from tunesmith.features.span_length import SIZES, size_of

__all__ = ["StructuralDistortion"]


@TEMPLATES.register("structural-distortion")
@dataclass(frozen=True)
class StructuralDistortion(PlacedTemplate):
    """Counts `StructuralDistortion_m_K` and `..._r_K` of gaps that cover K source columns, 10 if more.

    A gap is reordered (r) if it changes its order to another gap or to a linked word of the rule, otherwise
    monotone (m). After the structural distortion of Chiang, Marton and Resnik (2008), which lets a
    hierarchical model learn how far and how often it should reorder. Phrase pairs have no gaps, and so no
    such features.
    """

    name: str = "StructuralDistortion"

    def admits(self, name: str) -> bool:
        """Return whether a name has an order and a size."""
        order, _, size = (self.rest_of(name) or "").partition("_")
        return order in ("m", "r") and size in SIZES

    def values(self, pair: Pair, span: Span, sentence: Sentence) -> Values:
        """Return the counts of a rule."""
        return Counter(
            f"{self.name}_{'r' if _is_reordered(pair, -1 - gap) else 'm'}_{size_of(*columns)}"
            for gap, columns in enumerate(span.gaps)
        )

    def twin(self) -> _native.PlacedFeature:
        """Return the native feature."""
        return _native.StructuralDistortionFeature(self.name)


def _is_reordered(pair: Pair, gap: int) -> bool:
    source, target = pair.source.index(gap), pair.target.index(gap)
    links = [(i, j) for i, j in pair.alignment if isinstance(pair.source[i], str)]
    links += [
        (i, pair.target.index(other))
        for i, other in enumerate(pair.source)
        if isinstance(other, int) and other != gap
    ]
    return any((i < source) != (j < target) for i, j in links)
