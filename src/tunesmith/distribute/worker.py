"""The main loop of a worker process: functions and shards in, results out."""

from __future__ import annotations

import os
import pickle
import threading
import traceback
from multiprocessing.connection import Connection
from queue import SimpleQueue

from tunesmith.build import check_parent
from tunesmith.distribute.kept import let_go
from tunesmith.errors import InputError

__all__ = ["END", "serve"]

END = b""
"""Sent in place of a task."""


def serve(descriptor: int) -> None:
    """Answer the driver until it sends END; then close what is kept, and end.

    Nothing is computed, and each task fails, if the package is not that of the driver any more.
    If its end of the socket closes, this process ends in whatever it does.
    """
    connection = Connection(descriptor)
    tasks: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(connection, tasks), daemon=True).start()
    refused = None
    try:
        check_parent("the package has changed since the run began: give the command again")
    except InputError as error:
        refused = error
    while (task := tasks.get()) != END:
        if refused is not None:
            _send(connection, "failed", refused)
            continue
        _answer(connection, task)
    try:
        let_go()
    finally:
        os._exit(0)  # without the time that a large model takes to be freed


def _listen(connection: Connection, tasks: SimpleQueue[bytes]) -> None:
    """Receive in a thread of its own: so the death of the driver is noticed within long work, too."""
    while True:
        try:
            tasks.put(connection.recv_bytes())
        except (EOFError, OSError):
            os._exit(1)


def _answer(connection: Connection, task: bytes) -> None:
    def report(value: object) -> None:
        _send(connection, "report", value)

    try:
        function, shard = pickle.loads(task)
        result = function(shard, report)
    except Exception as error:
        _send_failure(connection, error)
    else:
        try:
            _send(connection, "done", result)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            _send_failure(connection, error)


def _send_failure(connection: Connection, error: Exception) -> None:
    trace = traceback.format_exc()
    try:
        pickle.loads(pickle.dumps(error))  # errors with required arguments fail when they are read
    except Exception:
        error = RuntimeError(f"{type(error).__name__}: {error}")
    _send(connection, "failed", error, trace)


def _send(connection: Connection, kind: str, value: object, trace: str = "") -> None:
    try:
        connection.send_bytes(pickle.dumps((kind, value, trace)))
    except (BrokenPipeError, ConnectionResetError):
        os._exit(1)
