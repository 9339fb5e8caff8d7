"""A disk that is full loses nothing."""

import subprocess
import sys

import pytest

SCRIPT = """
import resource, sys
from tunesmith import Weights
from tunesmith.errors import InputError

resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
try:
    Weights({f"feature{i}": float(i) for i in range(10000)}).write(sys.argv[1])
except InputError as error:
    print(error)
"""


@pytest.mark.process
def test_weights_that_cannot_be_written_leave_the_old_ones_whole(tmp_path) -> None:
    path = tmp_path / "weights.json"
    path.write_text("the old ones")
    command = [sys.executable, "-Bc", SCRIPT, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert f"{path}: cannot write" in done.stdout
    assert path.read_text() == "the old ones"
    assert [file.name for file in tmp_path.iterdir()] == ["weights.json"]
