"""Grammars on demand: the index of Multi30k (29,000 pairs), and all grammars of val (1,014 sentences).

python -m benchmarks.grammars [source target alignment input]

Files of another bitext may be named instead. cdec took 120 s for the grammars of val, files written, on two
cores of the peers' machine.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.machine import SHARED, calibrate
from tunesmith.corpus import Alignments, Bitext
from tunesmith.extract.suffix_array import GrammarOptions, SuffixIndex
from tunesmith.extract.write_grammars import write_grammars
from tunesmith.files import read_lines

CDEC_SECONDS = 120.0
DATA = SHARED / "data"
MULTI30K = (
    DATA / "multi30k.train.de.xz",
    DATA / "multi30k.train.en.xz",
    DATA / "moses" / "aligned.grow-diag-final-and.gz",
    DATA / "multi30k.val.de.xz",
)


def row(what: str, sentences: int, work: Callable[[], object]) -> float:
    """Time a piece of work and print a row of the table."""
    start, before = time.perf_counter(), os.times()
    result = work()
    wall, after = time.perf_counter() - start, os.times()
    cpu = sum(after[:2]) - sum(before[:2])
    shown = f"{result:,}" if isinstance(result, int) else ""
    print(f"| {what} | {wall:.2f} | {cpu:.2f} | {sentences / wall:,.0f} | {shown} |")
    return wall


def main(files: tuple[Path, ...] = MULTI30K) -> None:
    """Build, extract and write; print a table."""
    if not all(file.exists() for file in files):
        print("the corpus is not beside this checkout")
        return
    machine = calibrate()
    bitext, alignments, sentences = (
        Bitext.read(files[0], files[1]),
        Alignments.read(files[2]),
        read_lines(files[3]),
    )
    count = len(sentences)
    print(
        f"{len(bitext):,} pairs, {len(bitext.source.words):,} source words, {count:,} sentences;"
        f" {machine.cores} cores, load {os.getloadavg()[0]:.1f}\n"
    )
    print("| what | wall s | CPU s | sentences/s | rules |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.suffix"
        one, both = Path(folder) / "one.suffix", path
        row("index, source side", len(bitext), lambda: _build(bitext, alignments, one, False))
        row("index, both sides", len(bitext), lambda: _build(bitext, alignments, both, True))
        row("open", len(bitext), lambda: len(SuffixIndex.open(path)) and None)
        source_only = GrammarOptions(target_counts=False)
        row("grammars without p(f\\|e)", count, lambda: _rules(path, sentences, source_only))
        row("grammars with p(f\\|e)", count, lambda: _rules(path, sentences, GrammarOptions()))
        written = row("the same, written as .gz", count, lambda: _write(path, sentences, Path(folder) / "g"))
    print(f"\npeak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")
    if files == MULTI30K and machine.speed is not None:
        ours = written * machine.speed
        print(f"\non the peers' machine {ours:.1f} s: {CDEC_SECONDS / ours:.1f} times as fast as cdec")


def _build(bitext: Bitext, alignments: Alignments, path: Path, both_sides: bool) -> None:
    SuffixIndex.build(bitext, alignments, path, both_sides=both_sides)


def _rules(path: Path, sentences: list[str], options: GrammarOptions) -> int:
    return sum(len(grammar) for grammar in SuffixIndex.open(path).grammars(sentences, options))


def _write(path: Path, sentences: list[str], folder: Path) -> None:
    for _ in write_grammars(SuffixIndex.open(path), sentences, folder):
        pass


if __name__ == "__main__":
    main(tuple(Path(word) for word in sys.argv[1:5]) if len(sys.argv) > 4 else MULTI30K)
