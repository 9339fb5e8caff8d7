"""Phrase decoding: model score against speed, threads, memory and start-up, compared with Moses and moses2.

    python -m benchmarks.decoding

Moses' model of Multi30k (the full tables) with its MERT weights, on the 1,000 sentences of test_2016. The
score is the average model score of the best derivations found, unknown words at -100 included: higher is
better search. The first table is of whole processes on one thread, start-up and loading included; the peers'
seconds are those of decoding and of loading, at the speed of this machine. The second has the memory with
tables filtered to the text and a binary LM, as the peers' figures are. The curve is without start-up: source
words over the seconds of decoding on one thread, the best of several rounds. The stack size is the pop limit.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.command import Measured, measure_command
from benchmarks.machine import SHARED, calibrate
from benchmarks.peers import show_side_by_side
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.settings import SearchOptions
from tunesmith.files import read_lines
from tunesmith.metrics.evaluation import evaluate
from tunesmith.model.importing import import_model

MOSES = SHARED / "data" / "moses"
POP_LIMITS = (20, 50, 100, 200, 500, 1000, 2000, 5000)
COMMAND_LIMITS = (100, 200, 1000)
PEERS = {
    "moses, cube pruning 200": (-40.5130, 1_055, 9.4),
    "moses, cube pruning 1000": (-40.5089, 280, 9.5),
    "moses, stack search 200": (-40.5048, 105, 8.8),
    "moses2, cube pruning 200": (-40.5092, 4_130, 0.9),
    "moses2, cube pruning 1000": (-40.5051, 935, 1.1),
}
"""Average score, words/s (middle of the range) without loading, seconds of loading, on the peers' machine."""
PEER_MEMORY = {"moses2": "134 to 149", "moses": "122"}
"""Highest memory in MB at pop limit 200, with a binary LM and filtered tables."""
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
    for name, (score, rate, _) in PEERS.items():
        print(f"| {name} | {score:.4f} | {rate * (speed or 1):,.0f} |")


def scaling(model: Path, sentences: Sequence[str]) -> None:
    decoder = PhraseDecoder.open(model)
    seconds = {1: [], 2: []}
    for _ in range(4):
        for threads, times in seconds.items():
            times.append(decode(decoder, sentences, threads)[0])
    print(f"\nTwo threads: {min(seconds[1]) / min(seconds[2]):.2f} times the speed of one.")


def whole_commands(model: Path, source: Path, folder: Path, words: int, speed: float | None) -> None:
    """Print what a user waits for, beside the peers' whole processes, which load their models."""
    print("| whole process, one thread | s | words/s | highest memory, MB |\n|---|---|---|---|")
    one_word = folder / "one-word"
    one_word.write_text("ein\n", encoding="utf-8")
    start = _command(model, one_word, folder)
    print(f"| `tunesmith decode`, one word: start-up | {start.seconds:.2f} | | {start.megabytes:.0f} |")
    for limit in COMMAND_LIMITS:
        done = _command(model, source, folder, "--pop-limit", limit, "--stack-size", limit)
        cells = f"{done.seconds:.2f} | {words / done.seconds:,.0f} | {done.megabytes:.0f}"
        print(f"| `tunesmith decode`, pop limit {limit} | {cells} |", flush=True)
    for name, (_, rate, load) in PEERS.items():
        seconds = (words / rate + load) / (speed or 1)
        print(f"| {name} | {seconds:.2f} | {words / seconds:,.0f} | |")
    begin = time.perf_counter()
    PhraseDecoder.open(model)
    print(f"\nOpening the model within Python: {time.perf_counter() - begin:.3f} s.\n")


def memory(source: Path, folder: Path) -> None:
    """Print the memory with the tables that the peers' figures are of: filtered to the text, LM binary."""
    import_model(MOSES / "moses.mert.ini", folder / "filtered")
    print("| filtered tables, pop limit 200 | highest memory, MB |\n|---|---|")
    done = _command(folder / "filtered", source, folder, "--pop-limit", 200, "--stack-size", 200)
    print(f"| `tunesmith decode` | {done.megabytes:.0f} |")
    for name, megabytes in PEER_MEMORY.items():
        print(f"| {name} | {megabytes} |")
    print()


def _command(model: Path, source: Path, folder: Path, *options: object) -> Measured:
    files = ("--input", source, "--output", folder / "out")
    return measure_command("decode", model, *files, "--threads", 1, "--quiet", *options, rounds=2)


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
        words = sum(len(line.split()) for line in sentences)
        whole_commands(model, source, folder, words, machine.speed)
        memory(source, folder)
        curve(model, sentences, references, machine.speed)
        scaling(model, sentences)
        show_side_by_side("phrases")


if __name__ == "__main__":
    main()
