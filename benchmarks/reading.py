"""How fast candidate lists are read and written, and how much memory reading takes.

    python -m benchmarks.reading [--candidates 1000000]

Generates lists of 100 candidates with 25 words and 20 features each, and reads every file in a fresh
process on one thread. The peak is the growth of the process from before reading to its highest
point; the target is 10 s and three times the pool's own bytes for a million candidates.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from tunesmith.candidates import Pool

LIST, WORDS, FEATURES = 100, 25, 20
FILES = {
    "lists.moses": "moses",
    "lists.moses.gz": "moses",
    "lists.cdec": "cdec",
    "lists.jsonl": "jsonl",
    "lists.jsonl.gz": "jsonl",
    "lists.parquet": "parquet",
}


def generate(candidates: int, seed: int = 1) -> Pool:
    """Make a pool with features as Moses prints them: six digits, some labels with several values."""
    random = np.random.default_rng(seed)
    vocabulary = np.array([f"w{number:x}" for number in random.integers(0, 1 << 20, 5000)])
    texts = [" ".join(row) for row in vocabulary[random.integers(0, 5000, (candidates, WORDS))]]
    values = np.round(random.normal(scale=10, size=(candidates // LIST, LIST, FEATURES)), 4)
    names = [f"LexicalReordering0_{i}" for i in range(8)] + [f"TranslationModel0_{i}" for i in range(8)]
    return Pool.from_arrays(
        values, names=[*names, "Distortion0", "LM0", "WordPenalty0", "PhrasePenalty0"], texts=texts
    )


def status(key: str) -> int:
    """Return a memory figure of this process in bytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(key + ":"):
            return int(line.split()[1]) * 1024
    raise KeyError(key)


def measure_reading(path: str, format_name: str) -> dict[str, float]:
    """Read one file in this process; called in a fresh one."""
    Pool.read(path + ".warm", format=format_name)
    before = status("VmRSS")
    start, cpu = time.perf_counter(), time.process_time()
    pool = Pool.read(path, format=format_name)
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    arrays = [pool.offsets, pool.features.offsets, pool.features.columns, pool.features.values]
    size = sum(array.nbytes for array in arrays)
    if pool.texts is not None:
        size += pool.texts.blob.nbytes + pool.texts.offsets.nbytes
    return {
        "candidates": pool.n_candidates,
        "seconds": seconds,
        "cpu": cpu,
        "pool_bytes": size,
        "peak_bytes": status("VmHWM") - before,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--candidates", type=int, default=1_000_000)
    parser.add_argument("--measure", nargs=2, metavar=("PATH", "FORMAT"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(measure_reading(*options.measure)))
        return
    pool, small = generate(options.candidates), generate(LIST)
    print(f"{'file':16} {'MB':>6} {'write s':>8} {'read s':>7} {'CPU s':>6} {'peak/pool':>10}")
    with tempfile.TemporaryDirectory() as folder:
        for name, format_name in FILES.items():
            path = Path(folder) / name
            start = time.perf_counter()
            pool.write(path, format_name)
            written = time.perf_counter() - start
            small.write(f"{path}.warm", format_name)
            command = [sys.executable, "-m", "benchmarks.reading", "--measure", str(path), format_name]
            answer = subprocess.run(
                command, env=os.environ | {"TUNESMITH_THREADS": "1"}, capture_output=True, check=True
            )
            found = json.loads(answer.stdout)
            print(
                f"{name:16} {path.stat().st_size / 1e6:6.0f} {written:8.2f} {found['seconds']:7.2f}"
                f" {found['cpu']:6.2f}"
                f" {found['peak_bytes'] / found['pool_bytes']:10.2f}"
            )
            path.unlink()


if __name__ == "__main__":
    main()
