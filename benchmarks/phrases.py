"""Lexicon, phrase counting, scoring and reordering, in seconds, compared with Moses on the same alignments.

Run with `python -m benchmarks.phrases [SOURCE TARGET ALIGNMENT MOSES_SECONDS]`; without arguments on
Multi30k, where Moses' lexicon, extraction, scoring and reordering took 63 to 71 seconds.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from benchmarks.machine import SHARED, calibrate
from tunesmith.corpus import Alignments, Bitext
from tunesmith.extract import Lexicon, build_table, count_phrases

MULTI30K = (
    str(SHARED / "data" / "multi30k.train.de.xz"),
    str(SHARED / "data" / "multi30k.train.en.xz"),
    str(SHARED / "data" / "moses" / "aligned.grow-diag-final-and.gz"),
    "63",
)

T = TypeVar("T")


def main(*given: str) -> None:
    """Print a row a step."""
    source, target, alignment, moses_seconds = given or MULTI30K
    bitext, alignments = Bitext.read(source, target), Alignments.read(alignment)
    print(f"{len(bitext):,} sentence pairs, {len(bitext.target.words):,} target words")
    print(f"{'step':12} {'wall s':>8} {'CPU s':>8}")
    total = 0.0

    def timed(name: str, work: Callable[[], T]) -> T:
        nonlocal total
        wall, cpu = time.perf_counter(), time.process_time()
        result = work()
        took = time.perf_counter() - wall
        total += took
        print(f"{name:12} {took:8.2f} {time.process_time() - cpu:8.2f}")
        return result

    with tempfile.TemporaryDirectory() as folder:
        lexicon = timed("lexicon", lambda: Lexicon.estimate(bitext, alignments))
        counts = timed("counts", lambda: count_phrases(bitext, alignments, path=Path(folder) / "counts"))
        table = timed("table", lambda: build_table(counts, lexicon, Path(folder) / "table"))
        size = (Path(folder) / "counts").stat().st_size >> 20
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(
        f"{counts.instances:,} extracted, {len(table):,} distinct pairs; {size} MB of counts, peak {peak} MB"
    )
    speed = calibrate().speed or 1.0
    times = float(moses_seconds) / total / speed
    print(
        f"{total:.2f} s in all, Moses {moses_seconds} s on a machine of 1/{speed:.2f} the speed of this one:"
        f" {times:.0f} times faster"
    )


if __name__ == "__main__":
    main(*sys.argv[1:5])
