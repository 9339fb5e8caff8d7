"""Benchmarks of the peers' data, where these are not."""

from __future__ import annotations

import importlib
import itertools
import lzma
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.command import measure_command
from benchmarks.peers import SIDE_BY_SIDE
from benchmarks.scale import repeat_text
from benchmarks.watched import watch


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


@pytest.mark.process
def test_a_command_is_watched_with_its_processes_and_its_scratch_files(tmp_path: Path) -> None:
    child = "import time; held = bytearray(60 << 20); time.sleep(0.7)"
    program = f"""
import subprocess, sys
from pathlib import Path
scratch = Path("{tmp_path}/scratch")
scratch.write_bytes(bytes(3_000_000))
nameless = Path("{tmp_path}/nameless").open("wb+", buffering=0)
nameless.write(bytes(2_000_000))
Path(nameless.name).unlink()
held = bytearray(40 << 20)
subprocess.run([sys.executable, "-c", "{child}"], check=True)
scratch.unlink()
"""
    done = watch([sys.executable, "-c", program], folder=tmp_path)
    assert 100 < done.own <= done.most_own < 200
    assert done.seconds > 0.7
    assert 5 <= done.disk < 6
    with pytest.raises(SystemExit, match="ended with status 3"):
        watch([sys.executable, "-c", "raise SystemExit(3)"])


def test_a_text_that_is_repeated_gets_new_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.scale.SHARED", tmp_path)
    (tmp_path / "data").mkdir()
    words = " ".join(chr(97 + i) + chr(97 + j) for i in range(20) for j in range(20))
    with lzma.open(tmp_path / "data/europarl-fr-en.train.en.xz", "wt", encoding="utf-8") as stream:
        stream.write(f"{words}\n{words}\n")
    lines = list(itertools.islice(repeat_text("en"), 6))
    assert lines[0] == lines[1] == f"{words}\n"
    assert lines[2] == lines[3] != lines[4]
    changed = sum(old != new for old, new in zip(lines[0].split(), lines[2].split(), strict=True))
    assert 0.2 < changed / 400 < 0.4


def test_ratios_side_by_side_say_how_much_better_ours_is() -> None:
    assert str(SIDE_BY_SIDE["mira"]).endswith("1.55 s, `tunesmith` 1.71 s: 0.9x")
    assert str(SIDE_BY_SIDE["phrases"]).endswith("words/s: 1.6x")


@pytest.mark.parametrize(
    "path", sorted((Path(__file__).parents[1] / "benchmarks").glob("*.py")), ids=lambda path: path.stem
)
def test_a_benchmark_imports(path: Path) -> None:
    importlib.import_module(f"benchmarks.{path.stem}")
