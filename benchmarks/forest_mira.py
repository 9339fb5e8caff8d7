"""MIRA on real forests: seconds per pass, edges per second, BLEU before and after, growth with the corpus.

python -m benchmarks.forest_mira

The forests are those of Multi30k's validation set by the peers' phrase model with its default weights,
pruned to 50 edges per word.
"""

from __future__ import annotations

import lzma
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.machine import SHARED
from tunesmith.decode import open_decoder
from tunesmith.forest import ForestPool, prune
from tunesmith.forest.store import MEMORY
from tunesmith.metrics import Bleu
from tunesmith.model.importing import import_model
from tunesmith.objectives.forests.forest_hope_fear import ForestHopeFear
from tunesmith.optimizers import Space
from tunesmith.optimizers.passive_aggressive import PassiveAggressive

DATA = SHARED / "data"
DENSITY = 50
PASSES = {("linear", MEMORY): 60, ("linear", 1): 60, ("beam", MEMORY): 5}
"""Of each oracle and limit of memory."""


def lines(name: str) -> list[str]:
    return lzma.decompress((DATA / name).read_bytes()).decode("utf-8").splitlines()


def decoded() -> tuple[ForestPool, dict[str, float]]:
    """Return the forests, and the weights that they were decoded with."""
    with tempfile.TemporaryDirectory() as folder:
        import_model(DATA / "moses" / "moses.default.ini", Path(folder) / "model")
        decoder = open_decoder(Path(folder) / "model")
        weights = dict(decoder.weights)
        found = decoder.translate_all(lines("multi30k.val.de.xz"), forest=True)
        forests = [prune(one.forest, weights, density=DENSITY) for one in found]
    return ForestPool.of(forests, [lines("multi30k.val.en.xz")]), weights


def measure_passes(pool: ForestPool, start: dict[str, float]) -> None:
    known = {name: start[name] for name in pool.feature_names}
    space = Space.build(pool.feature_names, start=known, frozen=["Unknown*"])
    print(
        "| oracle, memory | compiling, CPU s | bytes per edge | CPU s per pass | edges/s "
        "| BLEU before, after | passes |"
    )
    print("|---|---|---|---|---|---|---|")
    for (oracle, memory), passes in PASSES.items():
        begin = time.process_time()
        objective = ForestHopeFear.build(pool, Bleu(), oracle=oracle, memory=memory)
        state = PassiveAggressive(epochs=passes).start(objective, space)
        compiling, before = time.process_time() - begin, -100 * state.loss
        begin = time.process_time()
        at = objective.learn(
            np.arange(len(pool)), 0.01, space.lower, space.upper, objective.begin(space.start)
        )
        seconds = time.process_time() - begin
        assert at.updates > 0
        while not state.done:
            state = PassiveAggressive(epochs=passes).step(objective, space, state, lambda loss, weights: None)
        print(
            f"| {oracle}, {memory} | {compiling:.2f} | {objective.bytes_per_edge:.0f} | {seconds:.3f} "
            f"| {pool.edge_count / seconds:,.0f} | {before:.2f}, {-100 * state.loss:.2f} | {passes} |"
        )


def measure_growth(pool: ForestPool) -> None:
    print("\n| sentences | edges | CPU s per pass, linear |\n|---|---|---|")
    bound = np.full(len(pool.feature_names), np.inf)
    for size in (len(pool) // 4, len(pool) // 2, len(pool)):
        part = ForestPool.of(pool.forests[:size], [list(pool.references[0])[:size]])
        objective = ForestHopeFear.build(part, Bleu())
        at = objective.learn(np.arange(size), 0.01, -bound, bound, objective.begin(np.zeros(len(bound))))
        begin = time.process_time()
        for _ in range(10):
            at = objective.learn(np.arange(size), 0.01, -bound, bound, at)
        print(f"| {size} | {part.edge_count} | {(time.process_time() - begin) / 10:.4f} |")


def main() -> None:
    if not SHARED.exists():
        print("needs the peers' data, which are not here")
        return
    pool, weights = decoded()
    print(pool)
    measure_passes(pool, weights)
    measure_growth(pool)


if __name__ == "__main__":
    main()
