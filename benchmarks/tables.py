"""Phrase tables: reading Moses' text, opening, look-ups, filtering, joining, and their memory.

    python -m benchmarks.tables

Moses' tables of Multi30k de-en (791,367 pairs, hier-mslr reordering) from the shared data, each step in a
process of its own on one thread, its peak included. Moses loads the *filtered* table (112,274 pairs), LM and
reordering in 9.4 s, moses2 in 0.9 s; a mapped table has nothing to load.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.machine import SHARED
from tunesmith.corpus import Bitext
from tunesmith.files import read_lines
from tunesmith.tables import (
    PhraseTable,
    Pruning,
    filter_table,
    interpolate_tables,
    prune_significance,
    prune_table,
    read_moses_table,
    write_moses_table,
)

DATA = SHARED / "data"
PHRASES = DATA / "moses" / "phrase-table.full.xz"
REORDERING = DATA / "moses" / "reordering-table.hier-mslr-bidirectional-fe.full.xz"
TEST = DATA / "multi30k.test_2016.de.xz"


def read(folder: Path) -> int:
    return len(read_moses_table(PHRASES, folder / "full.bin", reordering=REORDERING))


def opened(folder: Path) -> int:
    return len(PhraseTable.open(folder / "full.bin"))


def look_up(folder: Path) -> int:
    """Look up all spans of 1,000 sentences; counts the phrases found."""
    table = PhraseTable.open(folder / "full.bin")
    return sum(len(table.spans(sentence)) for sentence in read_lines(TEST))


def filtered(folder: Path) -> int:
    return len(filter_table(PhraseTable.open(folder / "full.bin"), TEST, folder / "filtered.bin"))


def pruned(folder: Path) -> int:
    return len(
        prune_table(PhraseTable.open(folder / "full.bin"), folder / "pruned.bin", Pruning(min_count=2))
    )


def significant(folder: Path) -> int:
    bitext = Bitext.read(DATA / "multi30k.train.de.xz", DATA / "multi30k.train.en.xz")
    return len(
        prune_significance(PhraseTable.open(folder / "full.bin"), folder / "significant.bin", bitext=bitext)
    )


def interpolated(folder: Path) -> int:
    tables = [PhraseTable.open(folder / name) for name in ("full.bin", "pruned.bin")]
    return len(interpolate_tables(tables, [0.5, 0.5], folder / "interpolated.bin"))


def written(folder: Path) -> int:
    table = PhraseTable.open(folder / "full.bin")
    write_moses_table(table, folder / "phrases", folder / "reordering")
    return len(table)


STEPS: dict[str, Callable[[Path], int]] = {
    "read text (xz)": read,
    "open": opened,
    "look up test_2016": look_up,
    "filter to test_2016": filtered,
    "prune, count 2": pruned,
    "prune, significance": significant,
    "interpolate": interpolated,
    "write text": written,
}


def measure(step: str, folder: Path) -> dict[str, float]:
    """Run one step in this process."""
    start, cpu = time.perf_counter(), time.process_time()
    count = STEPS[step](folder)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "seconds": time.perf_counter() - start,
        "cpu": time.process_time() - cpu,
        "count": count,
        "peak": peak / 1024,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--measure", nargs=2, metavar=("STEP", "FOLDER"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(measure(options.measure[0], Path(options.measure[1]))))
        return
    if not PHRASES.exists():
        print(f"not measured: {PHRASES} is not there")
        return
    print("| step | pairs or phrases | s | CPU s | peak MB |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        pairs = 0
        for step in STEPS:
            command = [sys.executable, "-m", "benchmarks.tables", "--measure", step, folder]
            environment = os.environ | {"TUNESMITH_THREADS": "1"}
            answer = subprocess.run(command, env=environment, capture_output=True, check=True)
            found = json.loads(answer.stdout)
            pairs = pairs or found["count"]
            print(
                f"| {step} | {found['count']:,} | {found['seconds']:.4f} | {found['cpu']:.4f}"
                f" | {found['peak']:.0f} |"
            )
        size = (Path(folder) / "full.bin").stat().st_size
        print(f"\nThe mapped table has {size / 1e6:.1f} MB, {size / pairs:.0f} bytes per pair.")


if __name__ == "__main__":
    main()
