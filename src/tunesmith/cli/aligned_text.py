"""Aligned text as commands read it: three files, and errors that name them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tunesmith.corpus import Alignments, Bitext

__all__ = ["read_aligned_text"]


def read_aligned_text(source: Path, target: Path, alignment: Path) -> tuple[Bitext, Alignments]:
    """Read both sides and their links; the error of a link outside its pair names file and line."""
    from tunesmith.corpus import Alignments, Bitext

    bitext = Bitext.read(source, target)
    return bitext, Alignments.read(alignment, bitext)
