"""A process that is killed, as a machine that fails would: the same command ends with the same weights."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = """
from tests.tuning.toy_systems import ToyForestMert
from tunesmith.cli.main import main
from tunesmith.tuning import METHODS

METHODS.register("toy-forest-mert")(ToyForestMert)
main()
"""


def start(folder: Path, method: str, output: str) -> subprocess.Popen[str]:
    tuning = ("--source", "dev.de", "--references", "dev.en", "--iterations", "3")
    command = [sys.executable, "-c", PROGRAM, "tune", "model", "model", *tuning, "--restarts", "1"]
    command += ["--nbest", "20"] if method == "mert" else []
    return subprocess.Popen(
        [*command, "--method", method, "--tolerance", "0", "--threads", "1", "-o", output],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
    )


@pytest.mark.process
@pytest.mark.parametrize(("method", "kills"), [("mert", 2), ("toy-forest-mert", 1)])
def test_a_killed_process_loses_at_most_its_iteration(method: str, kills: int, loop_folder: Path) -> None:
    whole = start(loop_folder, method, "whole")
    _, told = whole.communicate()
    assert whole.returncode == 0, told
    for rounds in range(1, kills + 1):
        killed = start(loop_folder, method, "broken")
        assert killed.stderr is not None
        for side in ("sources", "references"):
            assert f"25 of 25 tuning {side} (100.0%) were in" in killed.stderr.readline()
        assert killed.stderr.readline().startswith(f"{method} on 25 sentences, in the folder broken; loss: ")
        assert killed.stderr.readline().startswith(f"iteration {rounds}:")  # each begins where the last ended
        killed.kill()
        killed.communicate()
        assert killed.returncode == -signal.SIGKILL
    last = start(loop_folder, method, "broken")
    _, told = last.communicate()
    assert last.returncode == 0, told
    assert f"resumed after iteration {kills} of" in told
    same = ("weights.json", *(f"rounds/{number}.weights.json" for number in range(4)))
    for name in same:
        assert (loop_folder / "broken" / name).read_bytes() == (loop_folder / "whole" / name).read_bytes()
