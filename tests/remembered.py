"""Commands that make files out of nothing: what one made is remembered for other pages that begin with it."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import re
import shutil
from collections.abc import Callable
from pathlib import Path

MAKERS = re.compile(r"tunesmith (demo --write \.|corpus generated [^<>]*)")
"""Commands that read no file, so that what they make depends on their words alone."""


def run_or_repeat(command: str, memory: Path, run: Callable[[], object]) -> None:
    """Run a command in the current folder, or copy what it made before, in an empty one.

    `memory` belongs to one run of the tests, whose workers share it. Tests of determinism are elsewhere.
    """
    if not MAKERS.fullmatch(command):
        run()
        return
    made = memory / hashlib.sha256(repr(command.split()).encode()).hexdigest()
    with made.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.with_suffix(".done").exists():
            shutil.rmtree(made, ignore_errors=True)  # of a command that failed
            made.mkdir()
            with contextlib.chdir(made):
                run()
            made.with_suffix(".done").touch()
    shutil.copytree(made, Path.cwd(), dirs_exist_ok=True)
