"""Benchmarks of the peers' data, where these are not."""

from __future__ import annotations

import importlib
import shutil
import subprocess
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


@pytest.mark.process
@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++ on this machine")
def test_the_driver_of_language_model_queries_fits_the_library() -> None:
    root = Path(__file__).parents[1]
    drivers, include = root / "benchmarks/lm_query_drivers", root / "native/include"
    command = ["g++", "-std=c++20", "-fsyntax-only", "-I", str(drivers), "-I", str(include)]
    subprocess.run([*command, str(drivers / "ours.cpp")], check=True)


@pytest.mark.parametrize(
    "path", sorted((Path(__file__).parents[1] / "benchmarks").glob("*.py")), ids=lambda path: path.stem
)
def test_a_benchmark_imports(path: Path) -> None:
    importlib.import_module(f"benchmarks.{path.stem}")
