"""Spark beside this process: time of decoding and of online learning.

    python -m benchmarks.cluster [SENTENCES]

Our phrase model of Multi30k German-English (29,000 pairs, aligned by HMM), the last 10,000 sentences of its
training text [SENTENCES], one thread per worker. `spark N` is `local-cluster[N,1,1024]` with `--ship`: a
master, N executors of one core in processes of their own, and files that travel. CPU seconds are of all
processes, user and system, Java's and those of workers included; each process is looked at five times per
second. "start" is the same command with one sentence: starting Java, sending the model, opening it on each
worker. Sentences per second are by the clock, without the start. Overhead is the CPU time that Spark takes
more, with its start and without. Online learning is one iteration in 20 shards with 100-best lists, after the
first translation of the set. What the driver does after it, and its memory: `benchmarks.mixing`.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.machine import SHARED
from tunesmith.files import read_lines
from tunesmith.model import train

SENTENCES = 10_000
SHARDS = 20
PAUSE = 0.2
PR_SET_CHILD_SUBREAPER = 36


@dataclass(frozen=True)
class Taken:
    """Seconds by the clock, and CPU seconds of all processes."""

    seconds: float
    cpu: float


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
        columns = (
            "work",
            "executor",
            "s",
            "start",
            "sentences/s",
            "CPU s",
            "CPU s of start",
            "overhead",
            "without start",
        )
        print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
        for work in ("decode", "online"):
            compare(work, folder, sentences)


def compare(work: str, folder: Path, sentences: int) -> None:
    """Print a row per executor."""
    usual: Taken | None = None
    for executors in (0, 1, 2):
        where = ["--threads", "1"]
        if executors:
            where = ["--executor", "spark", "--master", f"local-cluster[{executors},1,1024]", "--ship"]
        start, whole = (take(work, folder, text, where) for text in ("one", "all"))
        rest = Taken(whole.seconds - start.seconds, whole.cpu - start.cpu)
        more = ["", ""]
        if usual is None:
            usual, usual_rest = whole, rest
        else:
            ratios = whole.cpu / usual.cpu, rest.cpu / usual_rest.cpu
            more = [f"{100 * (ratio - 1):.0f}%" for ratio in ratios]
        name = f"spark {executors}" if executors else "local"
        times = [f"{value:.1f}" for value in (whole.seconds, start.seconds)]
        times += [f"{sentences / rest.seconds:.0f}", f"{whole.cpu:.1f}", f"{start.cpu:.1f}"]
        print(f"| {' | '.join([work, name, *times, *more])} |", flush=True)


def take(work: str, folder: Path, text: str, where: list[str]) -> Taken:
    """Run a command, wait for all processes that it started, and return what they took."""
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
    begin, seconds = time.perf_counter(), 0.0
    while True:
        used |= descendants()
        if process.poll() is None:
            seconds = time.perf_counter() - begin
        if process.poll() is not None and not reaped():
            break
        time.sleep(PAUSE)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return Taken(seconds, sum(used.values()))


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
