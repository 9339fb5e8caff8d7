"""A small parallel corpus, and models of it that train in a second."""

from __future__ import annotations

from pathlib import Path

import pytest

from tunesmith.corpus import Alignments
from tunesmith.generated import generate
from tunesmith.model import train


def write_small_corpus(folder: Path) -> Path:
    """Write `de`, `en`, and their `align`ment."""
    pairs = list(generate(300, seed=1, lowercase=True))
    (folder / "de").write_text("".join(f"{pair.source}\n" for pair in pairs))
    (folder / "en").write_text("".join(f"{pair.target}\n" for pair in pairs))
    Alignments.of(pair.alignment for pair in pairs).write(folder / "align")
    return folder


def trained(corpus: Path, factory: pytest.TempPathFactory, **options) -> Path:
    """Train a model of a corpus, and return its directory."""
    folder = factory.mktemp("trained") / "model"
    train(corpus / "de", corpus / "en", folder, alignment=corpus / "align", lm_order=3, **options)
    return folder
