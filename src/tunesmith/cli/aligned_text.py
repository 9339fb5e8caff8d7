"""Aligned text as commands read it: three files, and errors that name them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tunesmith.errors import InputError

if TYPE_CHECKING:
    from tunesmith.corpus import Alignments, Bitext

__all__ = ["read_aligned_text"]


def read_aligned_text(source: Path, target: Path, alignment: Path) -> tuple[Bitext, Alignments]:
    """Read both sides and their links; a link outside of its pair is blamed on its file and line."""
    from tunesmith.corpus import Alignments, Bitext

    bitext = Bitext.read(source, target)
    alignments = Alignments.read(alignment)
    try:
        alignments.check(bitext)
    except InputError as error:
        raise InputError(error.message, path=alignment, line=error.line) from None
    return bitext, alignments
