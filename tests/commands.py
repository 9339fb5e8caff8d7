"""Running commands in this process, which takes far less time than to start Python for each."""

from __future__ import annotations

import contextlib
import io
import signal
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from tunesmith.cli.main import _build, main

PROGRAM = [sys.executable, "-m", "tunesmith"]
COMMANDS = _build()
HANDLED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE)


class Done(NamedTuple):
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


def run(*arguments: object, folder: Path = Path(), stdin: str | bytes = "") -> Done:
    """Run any command in a folder: the program's `main`, with streams and signal handlers of its own."""
    given = io.BytesIO(stdin.encode() if isinstance(stdin, str) else stdin)
    output, errors = io.BytesIO(), io.BytesIO()
    streams = {
        name: io.TextIOWrapper(buffer, encoding="utf-8", write_through=name != "stdin")
        for name, buffer in (("stdin", given), ("stdout", output), ("stderr", errors))
    }
    words = ["tunesmith", *(str(argument) for argument in arguments)]
    with (
        contextlib.chdir(folder),
        mock.patch.multiple(sys, argv=words, **streams),
        _kept_handlers(),
        warnings.catch_warnings(),
    ):
        code = _exit_code()
    return Done(code, output.getvalue().decode(), errors.getvalue().decode())


def _exit_code() -> int:
    try:
        main()
    except SystemExit as end:
        assert end.code is None or isinstance(end.code, int), end.code
        return end.code or 0
    return 0


def run_process(*arguments: object, folder: Path = Path(), stdin: str | bytes = "", **options) -> Done:
    """Run any command in a process of its own, where the process is what is tested."""
    words = [*PROGRAM, *(str(argument) for argument in arguments)]
    given = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run(words, cwd=folder, capture_output=True, check=False, input=given, **options)
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


@contextlib.contextmanager
def _kept_handlers() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in HANDLED}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
