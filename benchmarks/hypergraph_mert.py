"""Line search over all derivations of forests, compared with line search over lists, on Multi30k val.

    python -m benchmarks.hypergraph_mert

Forests are decoded with Moses' model and its untuned weights, and pruned to 200 edges per source word, as in
a loop; lists are the 100 best translations of the same forests. The envelope is measured on one thread in CPU
time, with forests in memory and beyond a limit of it; the tuning runs, one optimization each from the same
weights, on two threads. BLEU is that of the best translations within the forests, whatever the method saw.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.machine import SHARED, calibrate
from tunesmith.candidates.pool import Pool
from tunesmith.candidates.references import read_texts
from tunesmith.decode import open_decoder
from tunesmith.forest import ForestWriter, prune
from tunesmith.forest.pool import ForestPool
from tunesmith.metrics.bleu import Bleu
from tunesmith.model.importing import import_model
from tunesmith.objectives.forests.forest_error import ForestError
from tunesmith.objectives.forests.lists import best_lists
from tunesmith.optimizers.space import Space
from tunesmith.tuning.method import METHODS
from tunesmith.tuning.run import Run, Solution
from tunesmith.types import FloatArray
from tunesmith.weights import Weights

DENSITY = 200
THREADS = 2
SEEDS = (1, 2, 3)


def decoded(folder: Path) -> tuple[ForestPool, FloatArray]:
    """Decode val with untuned weights; return the pruned forests, and the weights."""
    import_model(SHARED / "data/moses/moses.default.ini", folder / "model")
    decoder = open_decoder(folder / "model")
    source = list(read_texts(SHARED / "data/multi30k.val.de.xz"))
    with ForestWriter(folder / "forests") as writer:
        translations = decoder.translate_all(source, forest=True, threads=THREADS)
        for line, found in zip(source, translations, strict=True):
            assert found.forest is not None
            scores = found.forest.scores(found.forest.weights(decoder.weights, missing=0.0))
            writer.add(prune(found.forest, scores, density=DENSITY, words=len(line.split())))
    pool = ForestPool.open(folder / "forests", [SHARED / "data/multi30k.val.en.xz"])
    return pool, weights_of(pool, decoder.weights)


def weights_of(pool: ForestPool, weights: Weights) -> FloatArray:
    """Return weights in the order of the pool."""
    return np.array([weights.get(name, 0.0) for name in pool.feature_names])


def show_envelopes(pool: ForestPool, weights: FloatArray) -> None:
    """Print edges per second of envelopes, for the axes of all features and for random directions."""
    objective = ForestError.build(pool, Bleu(), around=weights)
    scores = objective.scores(weights)
    rng, free = np.random.default_rng(1), np.ones(len(weights), dtype=np.bool_)
    drawn = [objective.geometry(free).whiten(rng.standard_normal(len(weights))) for _ in range(10)]
    print(f"{objective.bytes_per_edge:.1f} bytes per edge\n")
    print("| forests | direction | lines per sentence | ms | M edges/s |\n|---|---|---|---|---|")
    again = ForestError.build(pool, Bleu(), around=weights, memory=1)
    again.prepare()
    for place, searched in (("in memory", objective), ("read again", again)):
        for name, directions in (("axes", list(range(len(weights)))), ("random", drawn)):
            start = time.process_time()
            lines = sum(searched.winners(scores, direction).lines for direction in directions)
            took = (time.process_time() - start) / len(directions)
            mean, speed = lines / len(directions) / len(pool), pool.edge_count / took / 1e6
            print(f"| {place} | {name} | {mean:.1f} | {1000 * took:.0f} | {speed:.1f} |", flush=True)


def show_tuning(pool: ForestPool, weights: FloatArray) -> None:
    """Print what one optimization gains, over lists and over forests."""
    judge = ForestError.build(pool, Bleu(), threads=THREADS)
    print(f"\nBLEU with the untuned weights: {-100 * judge.loss(weights):.2f}\n")
    print("| method | BLEU | lowest | wall s | CPU s |\n|---|---|---|---|---|")

    def over_lists(seed: int) -> Solution:
        lists: Pool = best_lists(pool, weights, 100, threads=THREADS)
        return METHODS["mert"]().learn(Run(lists, Bleu(), space, seed, THREADS))

    def over_forests(seed: int) -> Solution:
        return METHODS["forest-mert"]().learn(Run(pool, Bleu(), space, seed, THREADS))

    space = Space.build(pool.feature_names, len(pool), start=weights)
    methods: dict[str, Callable[[int], Solution]] = {"mert": over_lists, "forest-mert": over_forests}
    for name, run in methods.items():
        begin, cpu = time.perf_counter(), time.process_time()
        ends = [run(seed).weights for seed in SEEDS]
        wall, used = time.perf_counter() - begin, time.process_time() - cpu
        scores = [-100 * judge.loss(end) for end in ends]
        cells = [np.mean(scores), np.min(scores), wall / len(SEEDS), used / len(SEEDS)]
        print(f"| {name} | {' | '.join(f'{cell:.2f}' for cell in cells)} |", flush=True)


def main() -> None:
    if not (SHARED / "data/moses/moses.default.ini").exists():
        print("skipped: the shared data is not beside this checkout")
        return
    print(f"calibration: {calibrate().calibration}")
    with tempfile.TemporaryDirectory() as folder:
        pool, weights = decoded(Path(folder))
        print(f"{pool.edge_count} edges of {len(pool)} sentences, {len(weights)} features\n")
        show_envelopes(pool, weights)
        show_tuning(pool, weights)


if __name__ == "__main__":
    main()
