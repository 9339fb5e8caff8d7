"""Spark beside this process: CPU time of decoding and of online learning, and the memory of the driver.

    python -m benchmarks.cluster [SENTENCES]

Our phrase model of Multi30k German-English (29,000 pairs, aligned by HMM), the last 10,000 sentences of its
training text [SENTENCES], one thread per worker. `spark N` is `local-cluster[N,1,1024]` with `--ship`: a
master, N executors of one core in processes of their own, and files that travel. Times are CPU seconds of all
processes, user and system, so that they do not depend on what else the machine does: Java's and those of
workers are included. "start" is the same command with one sentence: starting Java, sending the model, opening
it on each worker. Overhead is what Spark takes more, with its start and without. Online learning is one
iteration in 20 shards with 100-best lists, after the first translation of the set.

The driver of online learning mixes the weights of shards one by one: its memory, whatever their number, if
each has all features (names of 30 bytes), and the time of mixing per feature and shard.
"""

from __future__ import annotations

import ctypes
import os
import resource
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
FEATURES = (1_000_000, 5_000_000)
MIXED = 2
"""Shards that are mixed."""
PR_SET_CHILD_SUBREAPER = 36

MIXING = """
import resource, sys, time
from pathlib import Path
import numpy as np
from tunesmith.tuning.online.mixing import MixingOptions, mix
from tunesmith.weights import WeightStore

features, shards, path = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
if not path.exists():
    store = WeightStore()
    store.set((f"TargetBigram_word{i:07}_word{i % 977:04}"[:30] for i in range(features)), np.ones(features))
    store.save(path)
    sys.exit()
began = time.process_time()
mixed = mix(WeightStore(), ((WeightStore.open(path), 500, 500) for _ in range(shards)), 500 * shards, [],
            MixingOptions(top_k=0))
assert len(mixed.last) == features
print(time.process_time() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, path.stat().st_size)
"""


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
        print("\n| features | file of weights, MB | mixing, ns per feature and shard | memory, MB |")
        print("|---|---|---|---|")
        for features in FEATURES:
            seconds, memory, size = mixing(features, folder / f"{features}.weights")
            each = 1e9 * seconds / features / MIXED
            print(f"| {features:,} | {size / 1e6:.0f} | {each:.0f} | {memory / 1e3:.0f} |", flush=True)


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
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [*command, "-o", str(output), "-q", str(folder / "model"), *where],
        cwd=folder,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    while True:
        try:
            os.wait()
        except ChildProcessError:
            break
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def mixing(features: int, path: Path) -> tuple[float, int, int]:
    """Return CPU seconds, the highest memory in kB, and the bytes of a file of weights."""
    program = [sys.executable, "-c", MIXING, str(features), str(MIXED), str(path)]
    subprocess.run(program, check=True)
    printed = subprocess.run(program, check=True, capture_output=True, text=True).stdout.split()
    return float(printed[0]), int(printed[1]), int(printed[2])


if __name__ == "__main__":
    main()
