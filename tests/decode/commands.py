"""Running `tunesmith decode` in this process or in one of its own, and reading what it wrote."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.commands import Done, run

PROGRAM = [sys.executable, "-m", "tunesmith", "decode"]
SENTENCES = 20


def decode(*arguments: object, folder: Path, stdin: str | bytes = "") -> Done:
    """Run the command in this process, as `main` would."""
    return run("decode", *arguments, folder=folder, stdin=stdin)


def decode_process(*arguments: object, folder: Path, stdin: str | bytes = "", **options) -> Done:
    """Run the command in a process of its own."""
    words = [*PROGRAM, *(str(argument) for argument in arguments)]
    given = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run(words, cwd=folder, capture_output=True, check=False, input=given, **options)
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def left(folder: Path) -> set[str]:
    """Return the names of what a command wrote."""
    return {path.name for path in folder.iterdir()} - {"model", "test.de"}


def lines(path: Path) -> list[str]:
    """Return the lines of a file."""
    return path.read_text(encoding="utf-8").splitlines()
