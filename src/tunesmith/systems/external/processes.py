"""Shell commands as child processes that are always ended."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import IO, BinaryIO

from tunesmith.build import child_environment

__all__ = ["end_process", "how_it_ended", "last_lines", "start_process", "without_sigpipe"]

Stream = int | IO[bytes] | None

GRACE_SECONDS = 2.0
"""Time for a process to clean up before it is killed."""
SHOWN_BYTES = 2000


def start_process(command: str, *, stdin: Stream, stdout: Stream, stderr: Stream) -> subprocess.Popen[bytes]:
    """Start a shell command in its own session, so that a whole pipeline can be ended at once.

    What it calls of Tunesmith must be the same build as this process.
    """
    process, environment = None, child_environment()
    try:
        with _signals_later():
            process = subprocess.Popen(
                command,
                shell=True,
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                start_new_session=True,
                bufsize=0,
                env=environment,
            )
        return process
    except BaseException:
        if process is not None:
            end_process(process)
        raise


@contextlib.contextmanager
def _signals_later() -> Iterator[None]:
    """Delay signals to the end of the block: within, a new process could get lost."""
    came: list[int] = []
    handlers: dict[int, Callable[[int, FrameType | None], object]] = {}
    if threading.current_thread() is threading.main_thread():  # other threads get no signals
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            handler = signal.getsignal(number)
            if callable(handler):
                handlers[number] = handler
                signal.signal(number, lambda number, frame: came.append(number))
    try:
        yield
    finally:
        for caught, handler in handlers.items():
            signal.signal(caught, handler)
    for caught in came:
        handlers[caught](caught, None)


def end_process(process: subprocess.Popen[bytes]) -> None:
    """End a process and its children: by SIGTERM, then by SIGKILL."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(GRACE_SECONDS)
    process.wait()


def how_it_ended(code: int) -> str:
    """Describe an exit code in words."""
    number = -code if code < 0 else code - 128
    try:
        name = signal.Signals(number).name
    except ValueError:
        return f"ended with exit code {code}"
    return f"was killed by {name}" if code < 0 else f"ended with exit code {code} (128 + {name})"


def last_lines(log: BinaryIO) -> str:
    """Return the end of a process's log, ready to be appended to an error message."""
    log.seek(0, os.SEEK_END)
    size = log.tell()
    log.seek(max(0, size - SHOWN_BYTES))
    text = log.read(SHOWN_BYTES).decode("utf-8", "replace").strip()
    if not text:
        return "; it printed nothing"
    return f"; it printed:\n{'...' if size > SHOWN_BYTES else ''}{text}"


@contextlib.contextmanager
def without_sigpipe() -> Iterator[None]:
    """Block SIGPIPE, so that writing to an ended process is an error and does not end Tunesmith.

    The command line lets SIGPIPE end it, for `| head`.
    """
    pipe = {signal.SIGPIPE}
    was_blocked = signal.SIGPIPE in signal.pthread_sigmask(signal.SIG_BLOCK, pipe)
    try:
        yield
    finally:
        if not was_blocked:
            if signal.SIGPIPE in signal.sigpending():
                signal.sigwait(pipe)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, pipe)
