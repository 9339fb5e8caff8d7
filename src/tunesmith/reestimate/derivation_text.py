"""The sentence pairs whose derivations are looked for, and the fold of each."""

from __future__ import annotations

from pathlib import Path

from tunesmith.files import PathLike
from tunesmith.model.jackknife import JackknifeOptions
from tunesmith.model.jackknife.usable_pairs import UsablePairs
from tunesmith.passes.text import PassText

__all__ = ["PIECE", "derivation_text"]

PIECE = 500
"""Sentences per piece: the pseudo-document starts anew, and a file of derivations ends."""


def derivation_text(
    model: Path, source: PathLike | None, target: PathLike | None, folds: JackknifeOptions | None = None
) -> PassText:
    """Return the training text of a model, or other text: all pairs of which both sides have words."""
    return PassText.of(model, source, target, folds, UsablePairs.filled, PIECE)
