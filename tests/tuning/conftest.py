"""Models for the tests of loops with our own decoders."""

from __future__ import annotations

from pathlib import Path

import pytest

SENTENCES = 25


@pytest.fixture
def loop_folder(small_model: Path, small_hiero: Path, small_corpus: Path, tmp_path: Path) -> Path:
    """Links to a model of phrases and one of rules, and a tuning set: the models' weights are untuned."""
    (tmp_path / "model").symlink_to(small_model)
    (tmp_path / "hiero").symlink_to(small_hiero)
    for name in ("de", "en"):
        lines = (small_corpus / name).read_text().splitlines(keepends=True)
        (tmp_path / f"dev.{name}").write_text("".join(lines[:SENTENCES]))
    return tmp_path
