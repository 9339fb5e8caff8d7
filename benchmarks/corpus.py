"""Speed of generating the built-in corpus: pairs in one process and in several, references, candidate lists.

python -m benchmarks.corpus [pairs]
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tunesmith.generated import LABEL, candidate_lists, generate, write_corpus
from tunesmith.threads import thread_count

PAIRS = 100_000
LISTS = 400


def row(what: str, count: int, unit: str, work: Callable[[], object]) -> None:
    """Time a piece of work, child processes too, and print a row of the table."""
    before = os.times()
    work()
    after = os.times()
    wall = after.elapsed - before.elapsed
    cpu = sum(after[:4]) - sum(before[:4])
    print(f"| {what} | {count:,} {unit} | {wall:.2f} | {cpu:.2f} | {count / wall:,.0f} |")


def main(pairs: int = PAIRS) -> None:
    """Time the parts and print a table."""
    cores = thread_count()
    few = max(1, pairs // 4)
    print(f"Text {LABEL}.\n")
    print(f"{cores} cores, load {os.getloadavg()[0]:.1f} at the start, Python {sys.version.split()[0]}.\n")
    print("| what | how much | wall s | CPU s | a second |\n|---|---|---|---|---|")
    row("lexicon and first pairs", 100, "pairs", lambda: list(generate(100)))
    row("one process, in memory", few, "pairs", lambda: sum(1 for _ in generate(few)))
    row("with 4 references", few, "pairs", lambda: sum(1 for _ in generate(few, references=4)))
    with tempfile.TemporaryDirectory() as folder:
        prefix = Path(folder) / "corpus"
        row("written to files, 1 process", pairs, "pairs", lambda: write_corpus(prefix, pairs))
        several = partial(write_corpus, prefix, pairs, processes=cores)
        row(f"written to files, {cores} processes", pairs, "pairs", several)
    row("training the system behind candidate lists", 1, "system", lambda: candidate_lists(1))
    row("lists of 50 candidates with features", LISTS, "lists", lambda: candidate_lists(LISTS, size=50))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else PAIRS)
