"""Events of derivations: 100-best lists read per second and core, natively and by a walk in Python.

    python -m benchmarks.derivation_events

Moses' phrase model of Multi30k with its MERT weights on the 1,000 sentences of test_2016, and its
hierarchical model with its MIRA weights on the first 200, at the default pop limit. CPU seconds on one
thread, the best of several rounds, without decoding. "With k-best" is `DerivationEvents.kbest`, from forests
and weights to arrays; "events alone" begins with the edges of the derivations. The walk in Python
(`tests/decode/event_walks.py`) computes the same, as Python objects, from the edges of the derivations of the
first sentences.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.decode.event_walks import expected_phrases, expected_rules

from benchmarks.machine import SHARED, calibrate
from tunesmith import _native
from tunesmith.decode import DerivationEvents, open_decoder
from tunesmith.decode.event_views import DerivationView
from tunesmith.files import read_lines
from tunesmith.forest import Derivation, kbest
from tunesmith.forest.kbest import PATIENCE
from tunesmith.model.importing import import_model

K = 100
ROUNDS = 5
WALKED = 20
"""Sentences of which the walk in Python reads all derivations."""

Walk = Callable[[Derivation, Sequence[str]], DerivationView]


def cpu_seconds(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Return the CPU time of the fastest of several rounds."""
    times = []
    for _ in range(rounds):
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    return min(times)


def measure(name: str, model: Path, sentences: Sequence[str], walk: Walk) -> None:
    """Print a row: derivations per second of CPU time."""
    decoder = open_decoder(model)
    found = decoder.translate_all(sentences, forest=True)
    forests = [translation.forest for translation in found if translation.forest is not None]
    weights = decoder.weights
    events = DerivationEvents.kbest(forests, weights, K, missing=0.0, threads=1)
    native = [forest.native for forest in forests]
    scores = [forest.scores(weights, missing=0.0) for forest in forests]

    def search() -> list[tuple[object, ...]]:
        return [_native.kbest(*each, K, False, PATIENCE) for each in zip(native, scores, strict=True)]

    edges = search()
    some = [
        (derivation, text.split())
        for forest, text in zip(forests[:WALKED], sentences, strict=False)
        for derivation in kbest(forest, weights, K, missing=0.0)
    ]
    assert [walk(*each) for each in some] == [events[i] for i in range(len(some))]
    both = len(events) / cpu_seconds(
        lambda: DerivationEvents.kbest(forests, weights, K, missing=0.0, threads=1)
    )
    alone = len(events) / cpu_seconds(lambda: _native.derivation_events(native, edges, 1))
    searched = len(events) / cpu_seconds(search)
    walked = len(some) / cpu_seconds(lambda: [walk(*each) for each in some], 2)
    print(
        f"| {name} | {len(events):,} | {len(events.steps) / len(events):.1f} | {both:,.0f} | {alone:,.0f} |"
        f" {searched:,.0f} | {walked:,.0f} | {alone / walked:.0f}x |",
        flush=True,
    )


def main() -> None:
    if not (SHARED / "data" / "moses").is_dir():
        print("Nothing measured: the shared data is not there.")
        return
    machine = calibrate()
    print(f"{machine.cores} cores, load {os.getloadavg()[0]:.1f} at the start; {machine.calibration}.\n")
    print("Derivations per second of CPU time:\n")
    head = ["model", f"derivations ({K}-best)", "steps per derivation", "with k-best", "events alone"]
    head += ["k-best alone", "walk in Python", "events alone / walk"]
    print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}")
    sentences = read_lines(SHARED / "data" / "multi30k.test_2016.de.xz")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        import_model(SHARED / "data" / "moses" / "moses.mert.ini", folder / "phrase")
        measure("phrase", folder / "phrase", sentences, expected_phrases)
        import_model(SHARED / "data" / "moses-hiero" / "moses.mira.ini", folder / "hiero")
        measure("hiero", folder / "hiero", sentences[:200], expected_rules)


if __name__ == "__main__":
    main()
