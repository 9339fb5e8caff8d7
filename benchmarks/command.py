"""A whole `tunesmith` command in a process of its own: what a user waits for, and what it takes."""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import dataclass

PROGRAM = """
import sys, time
from tunesmith.cli.main import main
try:
    main()
finally:
    status = open("/proc/self/status").read()
    print("", time.process_time(), status.split("VmHWM:")[1].split()[0], file=sys.stderr)
"""
"""The command, then its CPU seconds and peak memory in kB: that of a child may be its parent's."""


@dataclass(frozen=True)
class Measured:
    """Wall and CPU seconds, start-up included, and the highest memory in MB."""

    seconds: float
    cpu: float
    megabytes: float


def measure_command(*arguments: object, rounds: int = 1) -> Measured:
    """Run a command, and return the quickest of several rounds."""
    words = [sys.executable, "-c", PROGRAM, *(str(argument) for argument in arguments)]
    runs = []
    for _ in range(rounds):
        begin = time.perf_counter()
        done = subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        seconds = time.perf_counter() - begin
        cpu, peak = done.stderr.split()[-2:]
        runs.append(Measured(seconds, float(cpu), int(peak) / 1024))
    return min(runs, key=lambda run: run.seconds)
