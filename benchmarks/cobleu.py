"""CoBLEU: value and gradient over real forests: edges per second, growth with the corpus, bytes per edge.

    python -m benchmarks.cobleu

Forests of Multi30k test_2016 by an ITG over Moses' phrases with the nine dense features of Pauls, DeNero and
Klein (2009) (and one for unknown words), and by the phrase decoder (17 features), both with 3 words of
context. Wall time of one evaluation, the best of five; the bar is 5 million edges per second on 2 cores. The
corpus is doubled twice: time over that of half the corpus should be 2. `on disk` keeps at most a
tenth of the bytes in memory. Preparing is done once for all evaluations on the same forests.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.machine import SHARED, calibrate
from tunesmith.decode import open_decoder
from tunesmith.decode.settings import ChartOptions, SearchOptions
from tunesmith.files import read_lines
from tunesmith.forest import ForestPool
from tunesmith.metrics.bleu import Bleu
from tunesmith.model.importing import import_model
from tunesmith.model.itg import itg_over
from tunesmith.objectives.forests.expected_counts import ExpectedCounts
from tunesmith.types import FloatArray

SIZES = (250, 500, 1000)
POP_LIMIT = 200
EVALUATIONS = 5


def best_seconds(work: Callable[[], object]) -> float:
    times = []
    for _ in range(EVALUATIONS):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return min(times)


def forests(model: Path, options: SearchOptions | ChartOptions, size: int) -> tuple[ForestPool, FloatArray]:
    """Decode the first sentences; return their forests, and the weights of the model."""
    decoder = open_decoder(model, options=options)
    source, target = (
        read_lines(SHARED / "data" / f"multi30k.test_2016.{side}.xz")[:size] for side in ("de", "en")
    )
    found = [each.forest for each in decoder.translate_all(source, forest=True)]
    pool = ForestPool.of([each for each in found if each is not None], [target])
    return pool, np.array([decoder.weights[name] for name in pool.feature_names])


def part(pool: ForestPool, size: int) -> ForestPool:
    texts = [list(reference)[:size] for reference in pool.references]
    return ForestPool.of(list(pool.forests)[:size], texts)


def measure(name: str, pool: ForestPool, weights: FloatArray) -> None:
    before = None
    for size in SIZES:
        begin = time.perf_counter()
        objective = ExpectedCounts.build(part(pool, size), Bleu(), threads=2)
        prepared = time.perf_counter() - begin
        corpus = objective.corpus
        rows = {"2 threads": objective}
        if size == SIZES[-1]:
            rows["1 thread"] = ExpectedCounts.build(pool, Bleu(), threads=1)
            rows["on disk"] = ExpectedCounts.build(pool, Bleu(), threads=2, memory=corpus.native.bytes // 10)
        for row, evaluated in rows.items():
            took = best_seconds(lambda objective=evaluated: objective.loss_and_gradient(weights))  # type: ignore[misc]
            growth = f"{took / before:.2f}" if before and row == "2 threads" else ""
            print(
                f"| {name} | {size} | {row} | {corpus.edge_count:,} | {prepared:.2f} | {took:.3f} | "
                f"{corpus.edge_count / took / 1e6:.1f} | {growth} | {corpus.bytes_per_edge:.1f} |"
            )
            if row == "2 threads":
                before = took


def main() -> None:
    if not SHARED.exists():
        print("needs the peers' data, which are not here")
        return
    print("| forests of | sentences | how | edges | s to prepare | s | M edges/s | growth | bytes per edge |")
    print("|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        phrase, itg = Path(folder) / "phrase", Path(folder) / "itg"
        import_model(SHARED / "data" / "moses" / "moses.mert.ini", phrase)
        itg_over(phrase, itg)
        measure("ITG", *forests(itg, ChartOptions(pop_limit=POP_LIMIT, context=3), SIZES[-1]))
        measure("phrases", *forests(phrase, SearchOptions(pop_limit=POP_LIMIT, context=3), SIZES[-1]))
    print(f"\nThe machine: {calibrate().calibration}.")


if __name__ == "__main__":
    main()
