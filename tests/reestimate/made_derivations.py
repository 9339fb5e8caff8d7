"""A small file of derivations, written by hand."""

from __future__ import annotations

from pathlib import Path

from tunesmith import _native
from tunesmith.reestimate.derivation_file import GIVEN, UNKNOWN, FoundDerivation, PhraseStep, add_derivations

SWAPPED = FoundDerivation(
    -1.5,
    20.0,
    9.25,
    (3, 1, 0, 0),
    (
        PhraseStep(1, 3, ("the", "house"), ((0, 0), (1, 1))),
        PhraseStep(0, 1, ("Ada",), ((0, 0),), UNKNOWN),
    ),
)
MONOTONE = FoundDerivation(
    -2.0,
    10.0,
    4.0,
    (2, 1, 0, 0),
    (PhraseStep(0, 1, ("ada",), (), GIVEN), PhraseStep(1, 3, ("the", "house"), ((0, 0), (1, 1)))),
)
SHORT = FoundDerivation(-3.0, 5.0, 1.0, (0, 0, 0, 0), (PhraseStep(0, 1, (), (), UNKNOWN),))


def write_made(path: Path) -> None:
    """Write two derivations of one sentence, and one of another."""
    writer = _native.DerivationWriter()
    add_derivations(writer, 7, "Ada das Haus", 3, [SWAPPED, MONOTONE])
    add_derivations(writer, 3, "äh", 1, [SHORT])
    writer.write(str(path))
