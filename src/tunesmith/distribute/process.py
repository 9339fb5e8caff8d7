"""A worker process as the driver sees it."""

from __future__ import annotations

import contextlib
import os
import pickle
import socket
import subprocess
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from tunesmith.build import child_environment
from tunesmith.distribute.base import pickled_task
from tunesmith.distribute.worker import END
from tunesmith.errors import InputError

__all__ = ["WorkerProcess"]

_START = "from tunesmith.distribute.worker import serve; serve({})"


class WorkerProcess:
    """A new interpreter that is sent functions and shards, and answers over a socket.

    It is in a session of its own, so that Ctrl-C reaches only the driver, which ends it.
    """

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _START.format(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
                env={
                    **child_environment(),
                    "PYTHONPATH": os.pathsep.join(path or os.curdir for path in sys.path),
                },
            )
        self.connection = Connection(ours.detach())

    def ask(self, function: Callable[..., Any], shard: object, number: int) -> None:
        """Send a function and a shard; an OptionError if a worker could not import the function."""
        task = pickled_task(function, shard, number)
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # `hear` reports the end
            self.connection.send_bytes(task)

    def hear(self, number: int) -> tuple[str, Any, str]:
        """Return the next answer, (report, value), (done, result) or (failed, error), and a traceback."""
        try:
            kind, value, trace = pickle.loads(self.connection.recv_bytes())
        except (EOFError, ConnectionResetError):
            code = self._process.wait()
            how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
            hint = "; it may have run out of memory: use fewer workers" if code == -9 else ""
            raise InputError(f"the worker of shard {number + 1} {how}{hint}") from None
        return kind, value, trace

    def ask_to_end(self) -> None:
        """Let the process close what it has kept, such as tables of folds, which that removes, and end."""
        with contextlib.suppress(OSError):  # it has ended
            self.connection.send_bytes(END)

    def end(self, patience: float = 0.0) -> None:
        """End the process; one that was asked to end has `patience` seconds to do it by itself."""
        try:
            if patience > 0:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(patience)
        finally:
            with contextlib.suppress(OSError):
                self.connection.close()
            self._process.kill()
            self._process.wait()
