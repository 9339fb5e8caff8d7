"""Mixing the weights of shards after an iteration of online learning: CPU time, clock time and memory.

    python -m benchmarks.mixing

Nine tenths of the features of a shard are those of the start weights, in their order; the others are new, and
each shard has half of all new ones. Names have 30 bytes. The files of all shards are different, and are
verified as those of other machines are. All features are kept. A row is a process of its own: its memory is
the peak, Python included. Costs per feature and shard are differences between two numbers of shards with as
many features, so that what is done once per feature of the mixture is left out.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from tunesmith.weights import WeightStore

SIZES = ((200_000, 2), (200_000, 120), (1_000_000, 2), (1_000_000, 8), (5_000_000, 2))
"""Features of a shard, and shards."""
BLOCK = 100_000

MIXING = """
import resource, sys, time
from pathlib import Path
from tunesmith.tuning.online.mixing import MixingOptions, mix

folder, shards, threads = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
parts = [(folder / str(shard), 500, 500) for shard in range(shards)]
cpu, clock = time.process_time(), time.monotonic()
mix(folder / "start", parts, 500 * shards, [], MixingOptions(top_k=0), threads)
cpu, clock = time.process_time() - cpu, time.monotonic() - clock
print(cpu, clock, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def main() -> None:
    print("| features | shards | threads | CPU s | s | memory, MB | CPU ns per feature and shard |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as made:
        seconds: dict[tuple[int, int], tuple[int, float]] = {}
        for features, shards in SIZES:
            folder = Path(made) / str(features)
            # A process of its own: a child's peak of memory begins with what its parent has at the fork.
            subprocess.run(
                [sys.executable, "-m", "benchmarks.mixing", str(folder), str(features), str(shards)],
                check=True,
            )
            for threads in (1, 2):
                cpu, clock, memory = measured(folder, shards, threads)
                few, before = seconds.get((features, threads), (0, 0.0))
                each = f"{1e9 * (cpu - before) / features / (shards - few):.0f}" if few else ""
                seconds[features, threads] = shards, cpu
                cells = (
                    f"{features:,}",
                    shards,
                    threads,
                    f"{cpu:.2f}",
                    f"{clock:.2f}",
                    f"{memory / 1e3:.0f}",
                )
                print(f"| {' | '.join(map(str, cells))} | {each} |", flush=True)


def measured(folder: Path, shards: int, threads: int) -> tuple[float, float, int]:
    """Return CPU seconds, clock seconds, and the highest memory in kB."""
    with tempfile.TemporaryDirectory() as cache:  # has no record of verified files
        printed = subprocess.run(
            [sys.executable, "-c", MIXING, str(folder), str(shards), str(threads)],
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, "XDG_CACHE_HOME": cache},
        ).stdout.split()
    return float(printed[0]), float(printed[1]), int(printed[2])


def write_shards(folder: Path, features: int, shards: int) -> None:
    """Write `start`, and the files of shards that are not there yet."""
    folder.mkdir(exist_ok=True)
    old = features - features // 10
    if not (folder / "start").exists():
        filled(np.arange(old), np.random.default_rng(1)).save(folder / "start")
    for shard in range(shards):
        if not (folder / str(shard)).exists():
            random = np.random.default_rng(2 + shard)
            new = old + random.permutation(2 * (features - old))[: features - old]
            filled(np.concatenate([np.arange(old), new]), random).save(folder / str(shard))


def filled(numbers: np.ndarray, random: np.random.Generator) -> WeightStore:
    """Return a store of the features of some numbers, with random weights and drifts."""
    store = WeightStore()
    for part in blocks(numbers):
        store.set(
            [f"TargetBigram_word{i:07}_word{i % 977:04}"[:30] for i in part.tolist()],
            random.normal(size=len(part)),
        )
    rows = np.arange(len(numbers), dtype=np.uint32)
    store.native.set_memory(rows, np.ones(len(rows)), random.normal(size=len(rows)), rows.astype(np.int64))
    return store


def blocks(numbers: np.ndarray) -> Iterator[np.ndarray]:
    """Yield numbers in blocks."""
    for begin in range(0, len(numbers), BLOCK):
        yield numbers[begin : begin + BLOCK]


if __name__ == "__main__":
    if len(sys.argv) > 1:
        write_shards(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
    else:
        main()
