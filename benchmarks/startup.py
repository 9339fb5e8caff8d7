"""Start-up: the CPU time of commands that do no work, and a whole small tuning job.

    python -m benchmarks.startup

Each command runs ten times in a process of its own; the figures are the smallest. The tuning job is
`tune nbest --method mira` on the 1,014 lists of 100 candidates that Moses wrote for Multi30k.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.machine import SHARED
from benchmarks.peers import show_side_by_side

RUNS = 10


def measure(*arguments: str) -> tuple[float, float]:
    """Return the smallest CPU and wall seconds of a command."""
    cpu, wall = [], []
    for _ in range(RUNS):
        before, begin = os.times(), time.perf_counter()
        subprocess.run([sys.executable, "-m", "tunesmith", *arguments], check=True, stdout=subprocess.DEVNULL)
        wall.append(time.perf_counter() - begin)
        after = os.times()
        cpu.append(
            after.children_user + after.children_system - before.children_user - before.children_system
        )
    return min(cpu), min(wall)


def main() -> None:
    print("| command | CPU s | wall s |\n|---|---|---|")
    for argument in ("--version", "--help"):
        cpu, wall = measure(argument)
        print(f"| `tunesmith {argument}` | {cpu:.2f} | {wall:.2f} |", flush=True)
    candidates = SHARED / "data" / "moses" / "val.default.nbest100.gz"
    if not candidates.exists():
        print("\nThe tuning job was not measured: the shared data is not there.")
        return
    with tempfile.TemporaryDirectory() as folder:
        files = ["--candidates", str(candidates), "--references", str(SHARED / "data/multi30k.val.en.xz")]
        output = ["-o", str(Path(folder) / "weights.json"), "--quiet"]
        cpu, wall = measure("tune", "nbest", *files, "--method", "mira", *output)
    print(f"| `tunesmith tune nbest --method mira` | {cpu:.2f} | {wall:.2f} |")
    show_side_by_side("mira")


if __name__ == "__main__":
    main()
