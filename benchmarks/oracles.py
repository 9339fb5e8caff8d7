"""Oracle-BLEU translations of the training text: time of decoding and of the search for oracles.

    python -m benchmarks.oracles MODEL WEIGHTS DEV_SOURCE DEV_REFERENCES [SENTENCES]

MODEL is a phrase model with its training text, of which SENTENCES (2,000) at equal distances are translated
by the pairs with a count of 2 or more, and their oracles found with a beam of 32, for n = 1, 10 and 100
different strings, on all cores. Times are CPU time per sentence. The first 5 of each block of 500 are also
searched without a beam. The last column is what the oracles of the whole text would take on 2 idle cores.
The bar: 29,000 sentences of Multi30k in 3 minutes, 297,000 of Europarl in 40, after decoding; n-best oracles
twice that.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from tunesmith.files import read_lines
from tunesmith.model.jackknife import FoldModels
from tunesmith.model.parts.names import SOURCE, TARGET
from tunesmith.passes.decoding import Decoding
from tunesmith.reestimate.oracle_options import OracleOptions
from tunesmith.reestimate.oracles import background_of, write_oracles

SENTENCES = 2000
CORES = 2


def drawn_text(model: Path, folder: Path, sentences: int) -> tuple[dict[str, Path], int]:
    """Write sentences at equal distances; return their files, and the number of sentences of the text."""
    home = FoldModels(model).home
    files, total = {}, 0
    for side, name in (("source", SOURCE), ("target", TARGET)):
        lines = list(read_lines(home / name))
        total = len(lines)
        rows = np.linspace(0, total - 1, min(sentences, total)).astype(int).tolist()
        files[side] = folder / side
        files[side].write_text("".join(f"{lines[row]}\n" for row in rows), encoding="utf-8")
    return files, total


def measure(model: Path, weights: Path, dev: tuple[Path, Path], sentences: int, folder: Path) -> None:
    """Print the table."""
    text, total = drawn_text(model, folder, sentences)
    tuning = {"tune_source": dev[0], "tune_references": [dev[1]]}
    print(
        "| n | decoding: ms of CPU | oracles: ms of CPU | BLEU 1-best | oracle | KB | whole text, minutes |"
    )
    print("|---|---|---|---|---|---|---|")
    for nbest in (1, 10, 100):
        options = OracleOptions(nbest=nbest, compare=5 if nbest == 1 else 0)
        began = time.perf_counter()
        done = write_oracles(
            model, folder / f"n{nbest}", options, Decoding(weights=weights, announce=None), **tuning, **text
        )
        counts = done.store.counts
        decoding, oracles = (
            1000 * seconds / counts.all_sentences
            for seconds in (counts.decode_seconds, counts.oracle_seconds)
        )
        print(
            f"| {nbest} | {decoding:.2f} | {oracles:.2f} | {100 * counts.bleu('best'):.2f} |"
            f" {100 * counts.bleu('oracle'):.2f} | {done.store.bytes / 1024:.0f} |"
            f" {oracles * total / 60_000 / CORES:.1f} |",
            flush=True,
        )
        if nbest == 1:
            about = f"{background_of(done.store)}.\n{counts.all_sentences:,} of {total:,} sentences of"
            words = counts.source_words / counts.sentences
            about += f" {words:.1f} words, {counts.missing} without a translation;"
            about += (
                f" {time.perf_counter() - began:.0f} s with the table and the tuning set; {counts.loss()}."
            )
    print(f"\n{about}")


def main() -> None:
    if len(sys.argv) < 5:
        print(__doc__)
        return
    model, weights, *dev = map(Path, sys.argv[1:5])
    sentences = int(sys.argv[5]) if len(sys.argv) > 5 else SENTENCES
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start.\n", flush=True)
    with tempfile.TemporaryDirectory() as name:
        measure(model.absolute(), weights, (dev[0], dev[1]), sentences, Path(name))


if __name__ == "__main__":
    main()
