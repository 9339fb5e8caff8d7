"""Benchmarks of the peers' data, where these are not."""

from __future__ import annotations

import importlib
import shutil
import subprocess
from pathlib import Path

import pytest
from benchmarks.command import measure_command
from benchmarks.peers import SIDE_BY_SIDE


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


@pytest.mark.process
def test_a_whole_command_is_measured_with_its_start() -> None:
    done = measure_command("--version")
    assert done.seconds > 0.01
    assert done.cpu > 0.01
    assert 5 < done.megabytes < 200


def test_ratios_side_by_side_say_how_much_better_ours_is() -> None:
    assert str(SIDE_BY_SIDE["mira"]).endswith("1.55 s, `tunesmith` 1.71 s: 0.9x")
    assert str(SIDE_BY_SIDE["phrases"]).endswith("words/s: 1.6x")


@pytest.mark.parametrize(
    "path", sorted((Path(__file__).parents[1] / "benchmarks").glob("*.py")), ids=lambda path: path.stem
)
def test_a_benchmark_imports(path: Path) -> None:
    importlib.import_module(f"benchmarks.{path.stem}")
