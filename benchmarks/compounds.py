"""Compound splitting: time, and how many unknown words become known parts (Multi30k and Europarl, German).

python -m benchmarks.compounds
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from benchmarks.machine import SHARED
from tunesmith.corpus import Alignments, Bitext, Sentences
from tunesmith.corpus.blocks import read_blocks, write_block
from tunesmith.corpus.compounds import (
    CompoundOptions,
    CompoundSplitter,
    LatticeWriter,
    WordCounts,
    train_splitter,
)
from tunesmith.corpus.tokenize import Tokenizer
from tunesmith.extract.compound_guide import CompoundGuide
from tunesmith.extract.lexicon import Lexicon
from tunesmith.files import read_lines

SHOWN = 25
Result = TypeVar("Result")


def timed(work: Callable[[], Result]) -> tuple[Result, float]:
    start = time.process_time()
    result = work()
    return result, time.process_time() - start


def tokenize(name: str, output: Path) -> Path:
    tokenizer = Tokenizer("de")
    with output.open("wb") as stream:
        for block in read_blocks(SHARED / "data" / name):
            write_block(stream, tokenizer.tokenize(block))
    return output


def report(name: str, splitter: CompoundSplitter, train: Path, test: Path, seconds: float) -> None:
    """Print a row: CPU seconds of training, and of both outputs for the training text; counts of words."""
    blocks = list(read_blocks(train))
    _, segmenting = timed(lambda: [splitter.segment(block) for block in blocks])
    _, writing = timed(lambda: [LatticeWriter(splitter).lattices(block) for block in blocks])
    split = [(key, parts) for key in splitter.words.keys if len(parts := splitter.split(key)) > 1]
    tokens = Counter(word for line in read_lines(test) for word in line.split(" ") if word)
    unknown = [word for word in tokens if not splitter.words.count(word)]
    solved = [word for word in unknown if len(splitter.split(word)) > 1]
    print(
        f"| {name} | {seconds:.1f} | {segmenting:.1f} | {writing:.1f} | {len(split)} of {len(splitter.words)}"
        f" | {len(solved)} of {len(unknown)} |"
        f" {sum(tokens[w] for w in solved)} of {sum(tokens[w] for w in unknown)} |",
        flush=True,
    )
    drawn = random.Random(1).sample(split, min(SHOWN, len(split)))
    samples[name] = " ".join("+".join(parts) for _, parts in drawn)
    drawn_unknown = random.Random(1).sample(solved, min(SHOWN, len(solved)))
    samples[name + ", unknown"] = " ".join("+".join(splitter.split(word)) for word in drawn_unknown)


samples: dict[str, str] = {}


def multi30k() -> None:
    data = SHARED / "data"
    train, test = data / "multi30k.train.de.xz", data / "multi30k.test_2016.de.xz"
    bitext = Bitext.read(train, data / "multi30k.train.en.xz")
    links = Alignments.read(data / "moses" / "aligned.grow-diag-final-and.gz", bitext)
    words = WordCounts.of(bitext.source)
    for least in (4, 3):
        options = CompoundOptions(min_length=least)
        splitter, seconds = timed(lambda options=options: train_splitter(words, options))
        report(f"Multi30k, from {least} letters", splitter, train, test, seconds)
        guide = CompoundGuide(bitext, Lexicon.estimate(bitext, links))
        splitter, seconds = timed(
            lambda options=options, guide=guide: train_splitter(words, options, guide=guide)
        )
        report(f"Multi30k, from {least} letters, guided", splitter, train, test, seconds)


def europarl() -> None:
    with tempfile.TemporaryDirectory() as folder:
        train = tokenize("europarl-de-en.train.de.xz", Path(folder) / "train.de")
        test = tokenize("europarl-de-en.test.de.xz", Path(folder) / "test.de")
        splitter, seconds = timed(lambda: train_splitter(WordCounts.of(Sentences.read(train))))
        report("Europarl, cased", splitter, train, test, seconds)


def main() -> None:
    if not (SHARED / "data").is_dir():
        print("the shared data is not beside this checkout: nothing was measured")
        return
    print(
        "| text | train CPU s | segment CPU s | lattices CPU s | types split | unknown types split | tokens |"
    )
    print("|---|---|---|---|---|---|---|")
    multi30k()
    europarl()
    if "--samples" not in sys.argv:
        return
    for name, text in samples.items():
        print(f"\n{name}: {text}")


if __name__ == "__main__":
    main()
