"""Candidate lists, references and outputs as a user has them, and `tune nbest` on them."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.commands import Done
from tests.commands import run as tunesmith
from tests.random_pools import random_pool

__all__ = ["folder", "tune"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Candidate lists, references and outputs as a user has them."""
    for name, seed in (("dev", 1), ("test", 2)):
        pool = random_pool(seed, lists=40, size=8)
        pool.write(tmp_path / f"{name}.nbest.gz", format="moses")
        (tmp_path / f"{name}.en").write_text("".join(text + "\n" for text in pool.references[0]))
        first = [pool.texts[int(row)] for row in pool.offsets[:-1]]
        (tmp_path / f"{name}.baseline.out").write_text("".join(text + "\n" for text in first))
    return tmp_path


def tune(folder: Path, *extra: object) -> Done:
    arguments: list[object] = ["--candidates", "dev.nbest.gz", "--references", "dev.en"]
    for flag, value in (("--seed", 1), ("-o", "weights.json")):
        arguments += [] if flag in extra else [flag, value]
    return tunesmith("tune", "nbest", *arguments, *extra, folder=folder)
