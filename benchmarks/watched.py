"""A command, watched while it runs: time, memory of all its processes, and the size of a folder."""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PAUSE = 0.02
"""Seconds between two looks at memory."""
DISK_PAUSE = 0.5
"""Seconds between two looks at the folder."""


@dataclass(frozen=True)
class Watched:
    """What a command took: wall and CPU seconds, and peaks in MB.

    `own` and `files` are of the time at which their sum was highest: memory that processes have allocated,
    added up, and mapped files, which processes share, of the process that maps most of them. `most_own` is
    the peak of the former alone. `disk` is the largest size of the folder, nameless scratch files included.
    """

    seconds: float
    cpu: float
    own: float
    files: float
    most_own: float
    disk: float

    @property
    def resident(self) -> float:
        return self.own + self.files


def watch(
    words: Sequence[object],
    *,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    verbose: bool = False,
) -> Watched:
    """Run a command; its failure ends the benchmark. Its progress and messages are shown if `verbose`."""
    begin = time.perf_counter()
    process = subprocess.Popen(
        [str(word) for word in words],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=None if verbose else subprocess.DEVNULL,
    )
    own = files = most_own = disk = looked = 0.0
    while not (ended := os.wait4(process.pid, os.WNOHANG))[0]:
        processes = _processes(process.pid)
        found = _memory(processes)
        most_own = max(most_own, found[0])
        if sum(found) > own + files:
            own, files = found
        if folder is not None and time.perf_counter() - looked > DISK_PAUSE:
            disk = max(disk, size_of(folder) + _nameless(processes, folder))
            looked = time.perf_counter()
        time.sleep(PAUSE)
    _, status, usage = ended
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(map(str, words))} ended with status {process.returncode}")
    disk = max(disk, size_of(folder)) if folder is not None else disk
    seconds = time.perf_counter() - begin
    return Watched(seconds, usage.ru_utime + usage.ru_stime, own, files, most_own, disk)


def size_of(folder: Path) -> float:
    """Return the MB of the files in a folder."""
    total = 0
    for name, _, files in os.walk(folder):
        for file in files:
            try:
                total += (Path(name) / file).lstat().st_size
            except OSError:  # a scratch file that is gone by now
                continue
    return total / 1e6


def _processes(first: int) -> list[int]:
    """Return a process and its descendants."""
    found, waiting = [], [first]
    while waiting:
        number = waiting.pop()
        found.append(number)
        try:
            for task in Path(f"/proc/{number}/task").iterdir():
                waiting += map(int, (task / "children").read_text().split())
        except OSError:  # it has ended
            continue
    return found


def _memory(processes: list[int]) -> tuple[float, float]:
    """Return the own memory of processes, and the most mapped files of one, in MB."""
    own = files = 0.0
    for number in processes:
        try:
            status = Path(f"/proc/{number}/status").read_text()
        except OSError:
            continue
        found = {name: int(size) / 1024 for name, size in re.findall(r"(RssAnon|RssFile):\s+(\d+)", status)}
        own += found.get("RssAnon", 0.0)
        files = max(files, found.get("RssFile", 0.0))
    return own, files


def _nameless(processes: list[int], folder: Path) -> float:
    """Return the MB of open files of a folder that have no name any more, as scratch files."""
    sizes: dict[tuple[int, int], int] = {}
    for number in processes:
        try:
            for link in Path(f"/proc/{number}/fd").iterdir():
                target = str(link.readlink())
                if target.startswith(f"{folder.resolve()}/") and target.endswith(" (deleted)"):
                    status = link.stat()
                    sizes[status.st_dev, status.st_ino] = status.st_size
        except OSError:
            continue
    return sum(sizes.values()) / 1e6
