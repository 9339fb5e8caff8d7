"""Running `tunesmith decode` in this process or in one of its own, and reading what it wrote."""

from __future__ import annotations

from pathlib import Path

from tests import commands
from tests.commands import Done, run, run_process

PROGRAM = [*commands.PROGRAM, "decode"]
SENTENCES = 20


def decode(*arguments: object, folder: Path, stdin: str | bytes = "") -> Done:
    """Run the command in this process, as `main` would."""
    return run("decode", *arguments, folder=folder, stdin=stdin)


def decode_process(*arguments: object, folder: Path, stdin: str | bytes = "", **options) -> Done:
    """Run the command in a process of its own."""
    return run_process("decode", *arguments, folder=folder, stdin=stdin, **options)


def left(folder: Path) -> set[str]:
    """Return the names of what a command wrote."""
    return {path.name for path in folder.iterdir()} - {"model", "test.de"}


def lines(path: Path) -> list[str]:
    """Return the lines of a file."""
    return path.read_text(encoding="utf-8").splitlines()
