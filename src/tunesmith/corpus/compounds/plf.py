"""Lattices of the segmentations of a sentence, in PLF."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from tunesmith.corpus.compounds.splitter import CompoundSplitter, SplitArc
from tunesmith.errors import InputError
from tunesmith.options import check_options, option
from tunesmith.texts import Texts

__all__ = ["PARTS", "POSTERIOR", "VALUES", "LatticeWriter"]

POSTERIOR = "LatticePosterior"
"""Log probability of an arc given its start node: the sum along a path is its log posterior."""

PARTS = "LatticeParts"
"""1 for each part of a split word."""


def _named(arc: SplitArc) -> str:
    values = {POSTERIOR: arc.log_probability, PARTS: float(arc.is_part)}
    return "{" + ",".join(f"'{name}':{value:.6g}" for name, value in values.items() if value) + "}"


def _probability(arc: SplitArc) -> str:
    return f"{math.exp(arc.log_probability):.6g}"


VALUES: dict[str, Callable[[SplitArc], str]] = {"named": _named, "posterior": _probability}
"""Values of arcs: named features as in cdec, or a probability, of which Moses takes the log."""

_UNREADABLE = re.compile(r"[\x00-\x20\x7f]|\A\*EPS\*\Z")


@dataclass(frozen=True, eq=False)
class LatticeWriter:
    """Writes sentences as lattices; a sentence without compounds is a lattice of one path.

    `threshold`, a probability, and `limit` are those of `CompoundSplitter.lattice`.
    """

    splitter: CompoundSplitter
    values: str = option("named", help="Values of arcs: named (features) or posterior.", choices=VALUES)
    threshold: float = option(0.02, help="Skip segmentations with a lower probability.", least=0, most=1)
    limit: int = option(4, help="Maximum segmentations per word, not counting the unsplit word.", least=0)
    _known: dict[str, str] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        check_options(self, "lattices")

    def lattices(self, lines: Iterable[str], *, first_line: int = 1) -> Texts:
        """Return the lattices of tokenized lines; errors count lines from `first_line`."""
        return Texts.of(self._lattice(line, number) for number, line in enumerate(lines, first_line))

    def __call__(self, line: str) -> str:
        """Return the lattice of one sentence."""
        return self.lattices([line])[0]

    def _lattice(self, line: str, number: int) -> str:
        words = [word for word in line.split(" ") if word]
        known = self._known
        for word in words:
            if word not in known:
                known[word] = self._nodes(word, number)
        return "(" + "".join([known[word] for word in words]) + ")"

    def _nodes(self, word: str, number: int) -> str:
        """Return the nodes of a word with their arcs, as written in a lattice."""
        if _UNREADABLE.search(word):
            raise InputError(
                f"found the word {word[:40]!r}, which PLF cannot represent;"
                " remove control characters and *EPS* before (`tunesmith corpus prepare`)",
                line=number,
            )
        arcs = self.splitter.lattice(word, threshold=self.threshold, limit=self.limit)
        nodes = [""] * max(arc.end for arc in arcs)
        for arc in arcs:
            nodes[arc.start] += f"({_quoted(arc.text)},{VALUES[self.values](arc)},{arc.end - arc.start}),"
        return "".join(f"({arcs})," for arcs in nodes)


def _quoted(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
