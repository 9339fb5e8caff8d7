"""Forced decoding: share of reached targets and time, with and without leave-one-out.

    python -m benchmarks.forcing

Moses' model of Multi30k (the full tables) with its MERT weights, on one thread: the first 2,000 pairs of the
training text, that the tables were extracted from, and all of val. Seconds are processor seconds, without the
time to open the model; words are source words.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from benchmarks.decoding import MOSES, import_full
from benchmarks.machine import SHARED
from tunesmith.corpus import Alignments
from tunesmith.decode.forced import ForcedOptions, Reached, forced_decode
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.files import read_lines

PAIRS = 2_000
MAX_LENGTH = 7  # of the extraction


def pairs(name: str, count: int | None = None) -> list[tuple[str, str]]:
    sides = (read_lines(SHARED / "data" / f"multi30k.{name}.{side}.xz")[:count] for side in ("de", "en"))
    return list(zip(*sides, strict=True))


def main() -> None:
    train, val = pairs("train", PAIRS), pairs("val")
    links = Alignments.read(MOSES / "aligned.grow-diag-final-and.gz").take(range(len(train)))
    left_out = ForcedOptions(leave_one_out=True, max_phrase_length=MAX_LENGTH)
    with tempfile.TemporaryDirectory() as folder:
        decoder = PhraseDecoder.open(import_full(Path(folder)))
        next(decoder.translate_all(["ein mann"]))
        print("| text | sentences reached | words reached | by stage | words a phrase | words/s |")
        print("|---|---|---|---|---|---|")
        for name, text, options, alignments in (
            ("val", val, ForcedOptions(), None),
            ("val, words dropped", val, ForcedOptions(drop_words=True), None),
            ("train", train, ForcedOptions(), None),
            ("train, left out", train, left_out, links),
        ):
            begin = time.process_time()
            results = list(forced_decode(decoder, text, options, alignments=alignments, threads=1))
            seconds = time.process_time() - begin
            reached = Reached.of(results)
            phrases = sum(len(result.phrases) for result in results)
            words = sum(len(source.split()) for source, _ in text)
            print(
                f"| {name} | {100 * reached.sentence_share:.1f}% | {100 * reached.word_share:.1f}%"
                f" | {dict(sorted(reached.stages.items()))} | {reached.words / phrases:.2f}"
                f" | {words / seconds:,.0f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
