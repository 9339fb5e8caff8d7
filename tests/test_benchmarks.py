"""Benchmarks of the peers' data, where these are not."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest


@pytest.mark.parametrize("name", ["cobleu", "consensus", "forest_mira"])
def test_a_benchmark_without_its_data_says_so(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = importlib.import_module(f"benchmarks.{name}")
    monkeypatch.setattr(module, "SHARED", tmp_path / "missing")
    module.main()
    assert "needs the peers' data" in capsys.readouterr().out
