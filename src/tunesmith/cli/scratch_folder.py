"""A temporary folder that is removed when the command ends, also by SIGTERM."""

from __future__ import annotations

import os
import shutil
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tunesmith.folders import temporary_folder

__all__ = ["scratch_folder"]


@contextmanager
def scratch_folder(parent: Path | None) -> Iterator[Path]:
    """Make a temporary folder in `parent`; it is removed at the end, also on SIGTERM."""
    with temporary_folder(".tunesmith-", parent) as name, _removed_by_sigterm(name):
        yield Path(name)


@contextmanager
def _removed_by_sigterm(folder: str) -> Iterator[None]:
    """Remove the folder before SIGTERM ends the process.

    Python runs signal handlers only between bytecode instructions, and native code may run for minutes: so a
    thread waits for the wakeup byte, which arrives at once.
    """
    if threading.current_thread() is not threading.main_thread():  # only the main thread may set handlers
        yield
        return
    reader, writer = os.pipe()
    os.set_blocking(writer, False)

    def wait() -> None:
        while byte := os.read(reader, 1):
            if byte[0] == signal.SIGTERM:
                shutil.rmtree(folder, ignore_errors=True)
                os._exit(128 + signal.SIGTERM)

    thread = threading.Thread(target=wait, daemon=True)
    thread.start()
    wakeup = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    handler = signal.signal(signal.SIGTERM, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, handler)
        signal.set_wakeup_fd(wakeup)
        os.close(writer)  # the thread reads the end
        thread.join()
        os.close(reader)
