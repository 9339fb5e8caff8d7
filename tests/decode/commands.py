"""Running `tunesmith decode` and other commands, in this process or in one of its own."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from typer.testing import CliRunner

from tunesmith.cli.main import _build
from tunesmith.errors import TunesmithError

PROGRAM = [sys.executable, "-m", "tunesmith", "decode"]
COMMANDS = _build()
SENTENCES = 20


class Done(NamedTuple):
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


def decode(*arguments: object, folder: Path, stdin: str | bytes = "") -> Done:
    """Run the command in this process, as `main` would."""
    return run("decode", *arguments, folder=folder, stdin=stdin)


def run(*arguments: object, folder: Path, stdin: str | bytes = "") -> Done:
    """Run any command in this process, as `main` would."""
    with contextlib.chdir(folder):
        done = CliRunner().invoke(COMMANDS, [str(argument) for argument in arguments], input=stdin)
    if isinstance(done.exception, TunesmithError):
        return Done(done.exception.exit_code, done.stdout, str(done.exception))
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return Done(done.exit_code, done.stdout, done.stderr)


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
