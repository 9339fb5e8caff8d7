"""Running commands in this process, which takes far less time than to start Python for each."""

from __future__ import annotations

import contextlib
import io
import signal
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from tunesmith.cli.main import _build, main

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


@contextlib.contextmanager
def _kept_handlers() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in HANDLED}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
