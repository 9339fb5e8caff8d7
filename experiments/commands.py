"""The command line as a function."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

__all__ = ["DATA", "tunesmith"]

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
"""Where the data of experiments lies, by default."""


def tunesmith(*arguments: object) -> None:
    """Run a command of Tunesmith; what it prints is shown."""
    command = [sys.executable, "-m", "tunesmith", *map(str, arguments)]
    print("$ tunesmith", *command[3:], flush=True)
    subprocess.run(command, check=True)
