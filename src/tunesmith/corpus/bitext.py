"""Parallel text: two sides, one line per sentence on each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy.typing as npt

from tunesmith.corpus.sentences import Sentences
from tunesmith.errors import InputError
from tunesmith.files import PathLike

__all__ = ["Bitext"]


@dataclass(frozen=True, eq=False)
class Bitext:
    """Sentence i of the target translates sentence i of the source; each side has its own vocabulary."""

    source: Sentences
    target: Sentences

    def __post_init__(self) -> None:
        if len(self.source) != len(self.target):
            raise InputError(_mismatch(len(self.source), len(self.target)))

    @classmethod
    def read(cls, source: PathLike, target: PathLike) -> Bitext:
        """Read both sides; different numbers of lines are an InputError at the first unmatched line."""
        sides = Sentences.read(source), Sentences.read(target)
        sizes = len(sides[0]), len(sides[1])
        if sizes[0] != sizes[1]:
            longer = source if sizes[0] > sizes[1] else target
            raise InputError(_mismatch(*sizes, source, target), path=longer, line=min(sizes) + 1)
        return cls(*sides)

    def __len__(self) -> int:
        return len(self.source)

    def take(self, rows: npt.ArrayLike) -> Bitext:
        """Return the chosen pairs, in the given order, with the same vocabularies."""
        return Bitext(self.source.take(rows), self.target.take(rows))

    def reversed(self) -> Bitext:
        """Return the bitext with source and target swapped."""
        return Bitext(self.target, self.source)


def _mismatch(source: int, target: int, source_name: object = "", target_name: object = "") -> str:
    sides = [
        f"the {side} {name}".strip() for side, name in (("source", source_name), ("target", target_name))
    ]
    return (
        f"this line has no partner: {sides[0]} has {source} lines, {sides[1]} has {target};"
        " expected the same number on both sides"
    )
