"""Weights at scale: memory and time of the store, beside dictionaries in Python.

    python -m benchmarks.weights

Names have 36 bytes, such as `TargetBigram_word00000017_other00017`. Each figure of memory is the peak of a
process of its own, Python included: a store of 5 million features is filled in blocks, with weight, rate,
drift and last step, and then opened from its file. Changes are 1,000 weights of names drawn at random, in a
store of a million; the dictionary's way is a new `Weights`, as decoders take it. Times are the best of five
rounds, in seconds. Lines of the dictionary are read without the rarer forms that the store's parser reads.
"""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.command import measure_command
from tunesmith.weights import Weights, WeightStore

MANY, MILLION, CHANGES, BLOCK = 5_000_000, 1_000_000, 1_000, 100_000
ROUNDS = 5
PEAK = 'print(open("/proc/self/status").read().split("VmHWM:")[1].split()[0])'
FILL = f"""
import sys
from pathlib import Path
from benchmarks.weights import MANY, filled
filled(MANY).save(sys.argv[1])
{PEAK}
"""
OPEN = f"""
import sys
from tunesmith.weights import WeightStore
WeightStore.open(sys.argv[1])
{PEAK}
"""


def name_of(number: int) -> str:
    """Return a name of 36 bytes."""
    return f"TargetBigram_word{number:08d}_other{number % 99991:05d}"


def filled(count: int) -> WeightStore:
    """Return a store with random weights, rates and drifts, made in blocks as learners do."""
    store = WeightStore()
    random = np.random.default_rng(1)
    for begin in range(0, count, BLOCK):
        size = min(BLOCK, count - begin)
        store.set([name_of(number) for number in range(begin, begin + size)], random.normal(size=size))
        numbers = np.arange(begin, begin + size, dtype=np.uint32)
        store.native.set_memory(
            numbers, 1 + random.random(size), random.normal(size=size), numbers.astype(np.int64)
        )
    return store


def peak(program: str, path: Path) -> float:
    """Return the highest memory of a process, in MB."""
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)], check=True, capture_output=True, text=True
    )
    return int(done.stdout) / 1024


def best(work: Callable[[], object]) -> float:
    """Return the seconds of the quickest round."""
    times = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return min(times)


def old_lines(path: Path) -> dict[str, float]:
    """Read lines as Python did before the native parser, without its rarer forms."""
    values: dict[str, float] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        name, value = line.split()
        if name in values:
            raise ValueError(name)
        values[name] = float(value)
    return values


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print("| 5 M features | peak, MB |\n|---|---|")
        print(f"| filled and saved | {peak(FILL, folder / 'many'):.0f} |")
        print(f"| opened from the file of {(folder / 'many').stat().st_size / 1e6:.0f} MB ", end="")
        print(f"| {peak(OPEN, folder / 'many'):.0f} |", flush=True)
        (folder / "many").unlink()

        store = filled(MILLION)
        random = np.random.default_rng(2)
        names = [name_of(int(number)) for number in random.integers(0, MILLION, CHANGES)]
        values = random.normal(size=CHANGES)
        mapping = dict(store.items())
        mapped, text, json = folder / "weights", folder / "weights.txt", folder / "weights.json"
        store.save(mapped)
        text.write_bytes(store.native.lines(0, len(store)))
        Weights(mapping).write(json)
        print("\n| 1 M features | store, s | dictionary, s |\n|---|---|---|")
        rows: tuple[tuple[str, Callable[[], object], Callable[[], object] | None], ...] = (
            (
                "change 1,000 weights",
                lambda: store.set(names, values),
                lambda: Weights({**mapping, **dict(zip(names, values.tolist(), strict=True))}),
            ),
            ("save", lambda: store.save(mapped), lambda: Weights(mapping).write(json)),
            ("open what was saved", lambda: WeightStore.open(mapped), lambda: Weights.read(json)),
            ("read lines", lambda: WeightStore.open(text), lambda: Weights(old_lines(text))),
            ("the 50 largest", lambda: store.top(50), lambda: _largest(mapping)),
        )
        for what, ours, before in rows:
            with contextlib.redirect_stdout(io.StringIO()):
                found, old = best(ours), best(before) if before else 0.0
            print(f"| {what} | {found:.4f} | {old:.2f} |", flush=True)
        shown = measure_command("weights", "show", mapped, "--top", 50, rounds=ROUNDS)
        print(f"| `tunesmith weights show --top 50`, the whole command | {shown.seconds:.2f} | |")


def _largest(mapping: dict[str, float]) -> list[tuple[str, float]]:
    return sorted(mapping.items(), key=lambda item: -abs(item[1]))[:50]


if __name__ == "__main__":
    main()
