"""Chart decoding: model score against speed, threads and memory, compared with moses_chart and cdec.

    python -m benchmarks.charts

Moses' hierarchical model of Multi30k (the rules of 200 sentences of test_2016, its glue grammar and MIRA
weights). The score is the average model score of the best derivations found, unknown words at -100 included.
Words per second are source words over the seconds of decoding on one thread, the best of several rounds,
without the time to open the model but with that to score its rules. Moses' 100-best lists give its scores.
Whole processes, start-up and loading included, are compared in a table of their own; the peer's memory is
with text tables.
The ITG joins the phrases of Moses' phrase model; both forms of its grammar have the same translations.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.command import measure_command
from benchmarks.machine import SHARED, calibrate
from benchmarks.peers import show_side_by_side
from tunesmith.decode.chart import ChartDecoder
from tunesmith.decode.settings import ChartOptions
from tunesmith.decode.translation import Translation
from tunesmith.files import read_lines
from tunesmith.model.importing import import_model
from tunesmith.model.itg import itg_over

HIERO = SHARED / "data" / "moses-hiero"
SENTENCES = 200
POP_LIMITS = (20, 50, 100, 200, 500, 1000)
PEERS = {"moses_chart, pop limit 200": 334, "cdec, pop limit 200": 87}
"""Words/s on test_2016, each with its own hierarchical model, on the peers' machine."""
WHOLE = {200: (16.9, 328), 1000: (54.4, None)}
"""Seconds and highest memory in MB of moses_chart on these sentences by pop limit, loading included."""


def decode(decoder: ChartDecoder, sentences: Sequence[str], threads: int) -> tuple[float, list[Translation]]:
    """Return wall seconds and the translations. Giving weights anew forgets all scores of rules."""
    decoder.weights = decoder.weights
    begin = time.perf_counter()
    found = list(decoder.translate_all(sentences, threads=threads))
    return time.perf_counter() - begin, found


def average(found: Sequence[Translation]) -> float:
    return sum(each.score for each in found) / len(found)


def best_scores(path: Path) -> list[float]:
    """Return the total of the first entry of each list."""
    first: dict[str, float] = {}
    for line in read_lines(path):
        fields = line.split("|||")
        first.setdefault(fields[0].strip(), float(fields[3]))
    return list(first.values())


def curve(model: Path, sentences: Sequence[str], limits: Sequence[int], rounds: int = 3) -> None:
    words = sum(len(line.split()) for line in sentences)
    print("| pop limit | average score | words/s | highest memory of a sentence, MB |\n|---|---|---|---|")
    for limit in limits:
        decoder = ChartDecoder.open(model, options=ChartOptions(pop_limit=limit))
        runs = [decode(decoder, sentences, 1) for _ in range(rounds)]
        rate = words / min(seconds for seconds, _ in runs)
        memory = max(each.native.bytes for each in runs[0][1]) / 1e6
        print(f"| {limit} | {average(runs[0][1]):.5f} | {rate:,.0f} | {memory:.1f} |", flush=True)


def beside_peers(speed: float | None) -> None:
    print("\n| peer | average score, same model | words/s, at the speed of this machine |\n|---|---|---|")
    for limit in (200, 1000):
        scores = best_scores(HIERO / f"test_2016.first200.cp{limit}.nbest100.gz")
        rate = f"{PEERS['moses_chart, pop limit 200'] * (speed or 1):,.0f}" if limit == 200 else ""
        print(f"| moses_chart, pop limit {limit} | {sum(scores) / len(scores):.5f} | {rate} |")
    print(f"| cdec, pop limit 200 | | {PEERS['cdec, pop limit 200'] * (speed or 1):,.0f} |")


def whole_commands(model: Path, folder: Path, sentences: Sequence[str], speed: float | None) -> None:
    """Print the time and memory of whole processes on one thread."""
    source = folder / "source"
    source.write_text("".join(line + "\n" for line in sentences), encoding="utf-8")
    files = ("--input", source, "--output", folder / "out", "--threads", 1, "--quiet")
    print("\n| whole process, one thread | s | highest memory, MB |\n|---|---|---|")
    for limit, (seconds, megabytes) in WHOLE.items():
        done = measure_command("decode", model, *files, "--pop-limit", limit, rounds=2)
        print(
            f"| `tunesmith decode`, pop limit {limit} | {done.seconds:.2f} | {done.megabytes:.0f} |",
            flush=True,
        )
        print(f"| moses_chart, pop limit {limit} | {seconds / (speed or 1):.2f} | {megabytes or ''} |")


def scaling(model: Path, sentences: Sequence[str]) -> None:
    decoder = ChartDecoder.open(model)
    seconds = {1: [], 2: []}
    for _ in range(3):
        for threads, times in seconds.items():
            times.append(decode(decoder, sentences, threads)[0])
    print(f"\nTwo threads: {min(seconds[1]) / min(seconds[2]):.2f} times the speed of one.")


def long_sentence(model: Path, sentences: Sequence[str]) -> None:
    words = " ".join(sentences).split()[:120]
    for forest in (False, True):
        decoder = ChartDecoder.open(model)
        begin = time.perf_counter()
        found = decoder.translate(" ".join(words), forest=forest)
        seconds = time.perf_counter() - begin
        what = "with its forest" if forest else "best translation"
        print(f"120 words, {what}: {seconds:.2f} s, {found.native.bytes / 1e6:.1f} MB in the search.")


def main() -> None:
    if not HIERO.is_dir():
        print("Nothing measured: the shared data is not there.")
        return
    machine = calibrate()
    print(f"{machine.cores} cores, load {os.getloadavg()[0]:.1f} at the start; {machine.calibration}.\n")
    sentences = read_lines(SHARED / "data" / "multi30k.test_2016.de.xz")[:SENTENCES]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        import_model(HIERO / "moses.mira.ini", folder / "hiero")
        curve(folder / "hiero", sentences, POP_LIMITS)
        beside_peers(machine.speed)
        whole_commands(folder / "hiero", folder, sentences, machine.speed)
        show_side_by_side("rules")
        scaling(folder / "hiero", sentences)
        long_sentence(folder / "hiero", sentences)
        import_model(SHARED / "data" / "moses" / "moses.mert.ini", folder / "phrases")
        for form in ("normal", "plain"):
            print(f"\nITG, {form} form:\n")
            itg_over(folder / "phrases", folder / form, form=form)
            curve(folder / form, sentences, (20, 50, 200), rounds=1)


if __name__ == "__main__":
    main()
