"""Functions of shards, in a module of their own, which workers import."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from tunesmith.distribute import Report
from tunesmith.errors import InputError, OptionError


def squared(shard: int, report: Report) -> int:
    report(f"at {shard}")
    time.sleep(0.02 * (shard % 2))  # so that results arrive in another order
    return shard * shard


def refusing(shard: int, report: Report) -> int:
    if shard == 2:
        raise InputError("is empty", path="part", line=7)
    return shard


def misusing(shard: int, report: Report) -> int:
    raise OptionError("{} must be more than {n}", "epochs", n=shard)


def broken(shard: int, report: Report) -> int:
    return [1][shard]


def dying(shard: int, report: Report) -> int:
    if shard == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return shard


def numbered(shard: int, report: Report) -> int:
    return os.getpid()


def writing(path: Path, report: Report) -> None:
    path.write_text(str(os.getpid()))
    while True:
        time.sleep(0.01)
