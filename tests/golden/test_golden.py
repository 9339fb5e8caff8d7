"""Golden directories: a folder holds inputs, a command, and what must come out.

`command` is the command line; `stdout`, `stderr`, `code` and files under `expected/` are what it must give.
Numbers may differ in their last digits, for other machines round otherwise. To renew a folder after a
wanted change: TUNESMITH_RENEW_GOLDEN=1 python -m pytest tests/golden, then read the difference.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from pathlib import Path

import pytest
from tests.commands import run

HERE = Path(__file__).parent
FOLDERS = sorted(path.parent for path in HERE.glob("*/command"))
RENEW = os.environ.get("TUNESMITH_RENEW_GOLDEN") == "1"
NUMBER = re.compile(r"-?\d+\.\d+(?:[eE][-+]?\d+)?")
RESULTS = {"stdout", "stderr", "code", "expected", "command"}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_command_gives_what_the_folder_says(folder: Path, tmp_path: Path) -> None:
    for file in folder.iterdir():
        if file.name not in RESULTS:
            shutil.copy(file, tmp_path)
    inputs = {file.name for file in tmp_path.iterdir()}
    words = shlex.split((folder / "command").read_text(encoding="utf-8"))
    done = run(*words, folder=tmp_path)
    results = {"stdout": done.stdout, "stderr": done.stderr, "code": f"{done.returncode}\n"}
    for file in sorted(tmp_path.iterdir()):
        if file.name not in inputs:
            results[f"expected/{file.name}"] = file.read_text(encoding="utf-8")
    if RENEW:
        renew(folder, results)
    for name in sorted({*results, *recorded(folder)}):
        wanted = folder / name
        assert name in results, f"{name} was not written"
        same(results[name], wanted.read_text(encoding="utf-8") if wanted.exists() else "", name)


def recorded(folder: Path) -> set[str]:
    return {f"expected/{file.name}" for file in (folder / "expected").glob("*")}


def renew(folder: Path, results: dict[str, str]) -> None:
    shutil.rmtree(folder / "expected", ignore_errors=True)
    for name, text in results.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def same(found: str, wanted: str, name: str) -> None:
    assert NUMBER.sub("#", found) == NUMBER.sub("#", wanted), name
    for one, other in zip(NUMBER.findall(found), NUMBER.findall(wanted), strict=True):
        assert float(one) == pytest.approx(float(other), rel=1e-9, abs=1e-12), name
