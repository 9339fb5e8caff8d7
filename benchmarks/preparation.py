"""How fast raw text is tokenized and prepared, compared with sacremoses.

    python -m benchmarks.preparation [--compare 2000]

Tokenizing is on one thread, in lines per second of CPU time; the target is 100,000. `--compare` lines are
tokenized by sacremoses too. Preparation is Europarl fr-en, 300,113 pairs, from xz to tokenized, cased, clean
text on two threads; the target is 40 s for lowercased text. Without the corpora beside the checkout, the
generated corpus stands in for them.
"""

from __future__ import annotations

import argparse
import itertools
import tempfile
import time
from pathlib import Path
from typing import Literal

from sacremoses import MosesTokenizer

from benchmarks.machine import SHARED
from tunesmith.corpus.blocks import read_blocks
from tunesmith.corpus.prepare import PrepareOptions, prepare
from tunesmith.corpus.tokenize import Tokenizer
from tunesmith.generated import write_corpus

LINES = 20_000
CASES: tuple[Literal["lower", "true"], ...] = ("lower", "true")


def compare_tokenizers(path: Path, language: str, compared: int) -> str:
    """Tokenize the first lines of a file by both; they must agree."""
    lines = list(
        itertools.islice((line for block in read_blocks(path) for line in block), max(LINES, compared))
    )
    tokenizer, moses = Tokenizer(language, characters="keep"), MosesTokenizer(language)
    tokenizer("warm")
    start = time.process_time()
    ours = tokenizer.tokenize(lines, threads=1)
    our_rate = len(lines) / (time.process_time() - start)
    start = time.process_time()
    theirs = [" ".join(moses.tokenize(line, escape=False)) for line in lines[:compared]]
    their_rate = len(theirs) / (time.process_time() - start)
    equal = sum(a == b for a, b in zip(ours, theirs, strict=False))
    return (
        f"| {path.name} | {our_rate:,.0f} | {their_rate:,.0f} | {our_rate / their_rate:.1f} |"
        f" {equal} of {len(theirs)} |"
    )


def measure_preparation(source: Path, target: Path, options: PrepareOptions) -> str:
    with tempfile.TemporaryDirectory() as folder:
        start, cpu = time.perf_counter(), time.process_time()
        done = prepare(source, target, Path(folder) / "text", options, threads=2)
        seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    pairs = sum(done.counts.values())
    return (
        f"| {options.case} | {options.deduplicate} | {pairs:,} | {done.counts['kept']:,} |"
        f" {seconds:.1f} | {cpu:.1f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--compare", type=int, default=2_000, help="lines of each side")
    compared = parser.parse_args().compare
    with tempfile.TemporaryDirectory() as folder:
        pair = "fr", "en"
        source, target = (SHARED / "data" / f"europarl-fr-en.train.{language}.xz" for language in pair)
        if not source.exists():
            pair = "de", "en"
            write_corpus(Path(folder) / "raw", 50_000, seed=1)
            source, target = Path(folder) / "raw.de", Path(folder) / "raw.en"
        print("| text | ours, lines/s | sacremoses | ratio | equal lines |\n|---|---|---|---|---|")
        for path, language in zip((source, target), pair, strict=True):
            print(compare_tokenizers(path, language, compared))
        print("\n| case | deduplicate | pairs | kept | wall s | CPU s |\n|---|---|---|---|---|---|")
        for case in CASES:
            print(measure_preparation(source, target, PrepareOptions(*pair, case=case)))
        print(measure_preparation(source, target, PrepareOptions(*pair, deduplicate="pair")))


if __name__ == "__main__":
    main()
