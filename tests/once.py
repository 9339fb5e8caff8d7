"""Folders that are made once per run of the tests, by the worker that needs them first."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """Return the folder `name` of this run; unless another worker has done so, `make` fills it.

    Tests only read it: they run at the same time as those of other workers.
    """
    base = factory.getbasetemp()  # of a worker: a folder within that of the run
    run = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, done = run / f"once-{name}", run / f"once-{name}.done"
    with (run / f"once-{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)  # of a worker that failed
            folder.mkdir()
            make(folder)
            done.touch()
    return folder
