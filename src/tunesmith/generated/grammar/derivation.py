"""The state of a derivation: random draws, and numbers for pieces of meaning."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from tunesmith.generated.draw import Draw
from tunesmith.generated.grammar.noun_phrase import NounPhrase, Said

__all__ = ["DEPTH", "Derivation"]

DEPTH = 2
"""No clause or phrase is embedded deeper than this."""

Relativize: TypeAlias = Callable[["Derivation", NounPhrase, int], Said | None]


class Derivation:
    """Draws choices and hands out anchors while a tree grows.

    `relativize` makes a relative clause for a noun phrase at a depth: phrases are below clauses, and
    call them through here.
    """

    __slots__ = ("_anchors", "draw", "relativize")

    def __init__(self, draw: Draw, relativize: Relativize) -> None:
        self.draw = draw
        self.relativize = relativize
        self._anchors = 0

    def anchors(self, count: int = 1) -> int:
        """Reserve anchors and return the first."""
        first = self._anchors
        self._anchors += count
        return first
