"""Functions of shards, in a module of their own, which workers import."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from tunesmith.distribute import Report
from tunesmith.errors import InputError, OptionError
from tunesmith.tuning.online.shards import Shards


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


def current_folder(shard: int, report: Report) -> str:
    return str(Path.cwd())


def reading(path: Path, report: Report) -> int:
    return len(Shards.read(path))


def copying(shard: tuple[Path, Path], report: Report) -> Path:
    """Append where it ran to a copy of a file."""
    source, output = shard
    output.write_text(f"{source.read_text()}{source}\n")
    return output


def listing(shard: Path, report: Report) -> tuple[str, int]:
    """Return where a folder is, and the number of this process."""
    return f"{shard}: {','.join(sorted(file.name for file in shard.iterdir()))}", os.getpid()


def losing_its_executor(marker: str, report: Report) -> int:
    """Kill the Spark executor of this worker, once: the second attempt of the shard finds the marker."""
    kill_executor_once(Path(marker))
    return os.getppid()


def kill_executor_once(marker: Path) -> None:
    """Kill the parent of this worker's parent, unless there is a marker; write who it was first."""
    daemon = Path(f"/proc/{os.getppid()}/stat").read_text()
    executor = int(daemon.rpartition(")")[2].split()[1])
    try:
        with marker.open("x") as stream:
            stream.write(str(executor))
    except FileExistsError:
        return
    os.kill(executor, signal.SIGKILL)
    time.sleep(60)  # Spark ends this process
