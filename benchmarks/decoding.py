"""Phrase decoding: model score against speed, threads, memory and start-up, compared with Moses and moses2.

    python -m benchmarks.decoding

Moses' model of Multi30k (the full tables) with its MERT weights, on the 1,000 sentences of test_2016. The
score is the average model score of the best derivations found, unknown words at -100 included: higher is
better search. Words per second are source words over the seconds of decoding on one thread, the best of
several rounds, without the time to open the model. The stack size is the pop limit.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.machine import SHARED, calibrate
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.settings import SearchOptions
from tunesmith.files import read_lines
from tunesmith.metrics.evaluation import evaluate
from tunesmith.model.importing import import_model

MOSES = SHARED / "data" / "moses"
POP_LIMITS = (20, 50, 100, 200, 500, 1000, 2000, 5000)
PEERS = {
    "moses, cube pruning 200": (-40.5130, 1_055),
    "moses, cube pruning 1000": (-40.5089, 280),
    "moses, stack search 200": (-40.5048, 105),
    "moses2, cube pruning 200": (-40.5092, 4_130),
    "moses2, cube pruning 1000": (-40.5051, 935),
}
"""Average score and words/s (the middle of the range) on the peers' machine."""
FULL = {
    "phrase-table.val+tests.gz": "phrase-table.full.xz",
    "reordering-table.val+tests.gz": "reordering-table.hier-mslr-bidirectional-fe.full.xz",
    "train.5gram.arpa.xz": "train.5gram.arpa.xz",
}


def import_full(folder: Path) -> Path:
    """Import the full tables, which the ini names in their filtered form."""
    text = "\n".join(read_lines(MOSES / "moses.mert.ini")) + "\n"
    for named, full in FULL.items():
        text = text.replace(f"path={named}", f"path={MOSES / full}")
    (folder / "moses.ini").write_text(text, encoding="utf-8")
    import_model(folder / "moses.ini", folder / "model")
    return folder / "model"


def decode(decoder: PhraseDecoder, sentences: Sequence[str], threads: int) -> tuple[float, float, list[str]]:
    """Return wall seconds, the average score, and the translations."""
    begin = time.perf_counter()
    found = list(decoder.translate_all(sentences, threads=threads))
    seconds = time.perf_counter() - begin
    return seconds, sum(each.score for each in found) / len(found), [each.text for each in found]


def curve(model: Path, sentences: Sequence[str], references: Sequence[str], speed: float | None) -> None:
    words = sum(len(line.split()) for line in sentences)
    print("| pop limit | average score | words/s | BLEU |\n|---|---|---|---|")
    for limit in POP_LIMITS:
        decoder = PhraseDecoder.open(model, options=SearchOptions(pop_limit=limit, stack_size=limit))
        rounds = [decode(decoder, sentences, 1) for _ in range(3 if limit <= 500 else 1)]
        bleu = evaluate("bleu", rounds[0][2], [list(references)], resamples=0)[0].score
        rate = words / min(seconds for seconds, _, _ in rounds)
        print(f"| {limit} | {rounds[0][1]:.5f} | {rate:,.0f} | {100 * bleu:.2f} |", flush=True)
    print("\n| peer | average score | words/s, at the speed of this machine |\n|---|---|---|")
    for name, (score, rate) in PEERS.items():
        print(f"| {name} | {score:.4f} | {rate * (speed or 1):,.0f} |")


def scaling(model: Path, sentences: Sequence[str]) -> None:
    decoder = PhraseDecoder.open(model)
    seconds = {1: [], 2: []}
    for _ in range(4):
        for threads, times in seconds.items():
            times.append(decode(decoder, sentences, threads)[0])
    print(f"\nTwo threads: {min(seconds[1]) / min(seconds[2]):.2f} times the speed of one.")


PROGRAM = """
import sys
from tunesmith.cli.main import main
try:
    main()
finally:
    status = open("/proc/self/status").read()
    print(status.split("VmHWM:")[1].split()[0], file=sys.stderr)
"""
"""The command, and then its highest memory in kilobytes: what is counted for a child may be its parent's."""


def whole_command(model: Path, source: Path, folder: Path) -> None:
    """The command in a process of its own: what a user waits for, and its highest memory."""
    command = [sys.executable, "-c", PROGRAM, "decode", str(model), "--threads", "1", "--quiet"]
    one_word = folder / "one-word"
    one_word.write_text("ein\n", encoding="utf-8")
    for what, text in (("one word (start-up)", one_word), ("test_2016", source)):
        begin = time.perf_counter()
        files = ["--input", str(text), "--output", str(folder / "out")]
        done = subprocess.run([*command, *files], check=True, stderr=subprocess.PIPE, text=True)
        seconds = time.perf_counter() - begin
        peak = int(done.stderr.split()[-1]) / 1024
        print(f"`tunesmith decode`, {what}: {seconds:.2f} s, highest memory {peak:.0f} MB (moses2: 173-182).")
    begin = time.perf_counter()
    PhraseDecoder.open(model)
    print(f"Opening the model within Python: {time.perf_counter() - begin:.3f} s.")


def main() -> None:
    if not MOSES.is_dir():
        print("Nothing measured: the shared data is not there.")
        return
    machine = calibrate()
    print(f"{machine.cores} cores, load {os.getloadavg()[0]:.1f} at the start; {machine.calibration}.\n")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        model = import_full(folder)
        sentences, references = (
            read_lines(SHARED / "data" / f"multi30k.test_2016.{language}.xz") for language in ("de", "en")
        )
        source = folder / "source"
        source.write_text("".join(line + "\n" for line in sentences), encoding="utf-8")
        whole_command(model, source, folder)
        print()
        curve(model, sentences, references, machine.speed)
        scaling(model, sentences)


if __name__ == "__main__":
    main()
