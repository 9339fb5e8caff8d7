"""Where the tests look for the shared data."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.process
@pytest.mark.parametrize(("exists", "note"), [(True, "(found;"), (False, "(not found:")])
def test_the_environment_names_the_folder_and_the_header_tells_whether_it_is_there(
    tmp_path: Path, exists: bool, note: str
) -> None:
    folder = tmp_path / "data"
    if exists:
        folder.mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", __file__],
        env=os.environ | {"TUNESMITH_SHARED_DATA": str(folder)},
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"shared data: {folder} {note}" in done.stdout
