"""Checkpoints after every step."""

from __future__ import annotations

import pytest

from tunesmith.tuning import run


@pytest.fixture(autouse=True)
def checkpoint_after_every_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps of small runs take a millisecond: without this, a run that is killed would have no checkpoint."""
    monkeypatch.setattr(run, "CHECKPOINT_SECONDS", 0)
