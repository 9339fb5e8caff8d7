"""Models for the tests of loops with our own decoders, and checkpoints after every step."""

from __future__ import annotations

from pathlib import Path

import pytest

from tunesmith.tuning import run

SENTENCES = 25


@pytest.fixture(autouse=True)
def checkpoint_after_every_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps of small runs take a millisecond: without this, a run that is killed would have no checkpoint."""
    monkeypatch.setattr(run, "CHECKPOINT_SECONDS", 0)


@pytest.fixture
def loop_folder(small_model: Path, small_hiero: Path, small_corpus: Path, tmp_path: Path) -> Path:
    """Links to a model of phrases and one of rules, and a tuning set: the models' weights are untuned."""
    (tmp_path / "model").symlink_to(small_model)
    (tmp_path / "hiero").symlink_to(small_hiero)
    for name in ("de", "en"):
        lines = (small_corpus / name).read_text().splitlines(keepends=True)
        (tmp_path / f"dev.{name}").write_text("".join(lines[:SENTENCES]))
    return tmp_path
