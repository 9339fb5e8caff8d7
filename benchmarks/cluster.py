"""Spark beside this process: CPU time of decoding and of online learning.

    python -m benchmarks.cluster [SENTENCES]

Our phrase model of Multi30k German-English (29,000 pairs, aligned by HMM), the last 10,000 sentences of its
training text [SENTENCES], one thread per worker. `spark N` is `local-cluster[N,1,1024]` with `--ship`: a
master, N executors of one core in processes of their own, and files that travel. Times are CPU seconds of all
processes, user and system, Java's and those of workers included, so that they do not depend on what else the
machine does; each process is looked at five times per second. "start" is the same command with one sentence:
starting Java, sending the model, opening it on each worker. Overhead is what Spark takes more, with its start
and without. Online learning is one iteration in 20 shards with 100-best lists, after the first translation of
the set. What the driver does after it, and its memory: `benchmarks.mixing`.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.machine import SHARED
from tunesmith.files import read_lines
from tunesmith.model import train

SENTENCES = 10_000
SHARDS = 20
PAUSE = 0.2
PR_SET_CHILD_SUBREAPER = 36


def main() -> None:
    data = SHARED / "data"
    if not (data / "multi30k.train.de.xz").exists():
        print("skipped: the shared data is not beside this checkout")
        return
    sentences = int(sys.argv[1]) if len(sys.argv) > 1 else SENTENCES
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)  # processes of Spark become ours, and count
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for side in ("de", "en"):
            lines = read_lines(data / f"multi30k.train.{side}.xz")
            for name, chosen in (("train", lines), ("all", lines[-sentences:]), ("one", lines[-1:])):
                text = "".join(f"{line}\n" for line in chosen)
                (folder / f"{name}.{side}").write_text(text, encoding="utf-8")
        train(folder / "train.de", folder / "train.en", folder / "model", lm_order=4, threads=1)
        print("| work | executor | CPU s | of these start | sentences per CPU s | overhead | without start |")
        print("|---|---|---|---|---|---|---|")
        for work in ("decode", "online"):
            compare(work, folder, sentences)


def compare(work: str, folder: Path, sentences: int) -> None:
    """Print a row per executor."""
    local: tuple[float, float] | None = None
    for executors in (0, 1, 2):
        where = ["--threads", "1"]
        if executors:
            where = ["--executor", "spark", "--master", f"local-cluster[{executors},1,1024]", "--ship"]
        start, whole = (cpu_seconds(work, folder, text, where) for text in ("one", "all"))
        local = local or (whole, whole - start)
        name = f"spark {executors}" if executors else "local"
        more = [
            100 * (seconds / usual - 1) for seconds, usual in zip((whole, whole - start), local, strict=True)
        ]
        cells = [work, name, f"{whole:.1f}", f"{start:.1f}", f"{sentences / (whole - start):.0f}"]
        print(f"| {' | '.join([*cells, *(f'{each:.0f}%' for each in more)])} |", flush=True)


def cpu_seconds(work: str, folder: Path, text: str, where: list[str]) -> float:
    """Run a command, wait for all processes that it started, and return their CPU time."""
    output = folder / f"out-{time.monotonic_ns()}"
    command = [sys.executable, "-m", "tunesmith", "decode", "-i", f"{text}.de"]
    if work == "online":
        command = [sys.executable, "-m", "tunesmith", "tune", "online", "--source", f"{text}.de"]
        command += ["--references", f"{text}.en", "--epochs", "1", "--start-scale", "1", "--no-score-tuning"]
        command += ["--shards", str(SHARDS if text == "all" else 1)]
    process = subprocess.Popen(
        [*command, "-o", str(output), "-q", str(folder / "model"), *where],
        cwd=folder,
        stdout=subprocess.DEVNULL,
    )
    used: dict[tuple[int, str], float] = {}
    while True:
        used |= descendants()
        if process.poll() is not None and not reaped():
            break
        time.sleep(PAUSE)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return sum(used.values())


def descendants() -> dict[tuple[int, str], float]:
    """Return the CPU time so far of each process below this one, by its number and start."""
    parents, found = {}, {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended meanwhile
            continue
        number = int(path.parent.name)
        parents[number] = int(fields[1])
        found[number] = (number, fields[19]), (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def is_ours(number: int) -> bool:
        while (number := parents.get(number, 0)) > 1:
            if number == os.getpid():
                return True
        return False

    return dict(each for number, each in found.items() if is_ours(number))


def reaped() -> bool:
    """Take note of processes that have ended; return whether there are others."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


if __name__ == "__main__":
    main()
