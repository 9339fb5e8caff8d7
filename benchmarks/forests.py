"""Forest algorithms on 100,000 edges, one thread: edges and derivations per second.

    python -m benchmarks.forests

A lattice of 1,000 nodes with 100 in-edges each, and one of 50 nodes with 2,000. CPU time, the best of five.
The ratio is edges per second to multiply-adds per second of the calibration loop, in thousandths: it can be
compared with other machines.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from tests.forest.large_forests import random_forest

from benchmarks.machine import PEER_MULTIPLY_ADDS, calibrate
from tunesmith.forest import (
    Forest,
    expectation,
    kbest,
    kbest_pool,
    log_partition,
    posteriors,
    prune,
    sample,
    viterbi,
)
from tunesmith.types import FloatArray

K = 1000


def seconds(work: Callable[[], object]) -> float:
    """Return the CPU time of the fastest of five runs."""
    times = []
    for _ in range(5):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def steps(forest: Forest, weights: dict[str, float], scores: FloatArray) -> dict[str, Callable[[], object]]:
    """Return what is measured, by name."""
    return {
        "scores": lambda: forest.scores(weights),
        "viterbi": lambda: viterbi(forest, scores),
        "inside (log Z)": lambda: log_partition(forest, scores),
        "inside and outside (posteriors)": lambda: posteriors(forest, scores),
        "expectation, variance, covariances": lambda: expectation(forest, scores, scores),
        "prune, beam 3": lambda: prune(forest, scores, beam=3.0),
        f"{K} best derivations": lambda: kbest(forest, scores, K),
        f"{K} best as a pool": lambda: kbest_pool([forest], weights, K, threads=1),
        f"{K} best strings as a pool": lambda: kbest_pool([forest], weights, K, unique=True, threads=1),
        f"{K} samples": lambda: sample(forest, scores, K, threads=1),
    }


def main() -> None:
    machine = calibrate()
    print("| forest | step | ms | M edges/s | ratio |\n|---|---|---|---|---|")
    for name, forest in (
        ("long", random_forest(1000, 100, 1, reach=200)),
        ("shallow", random_forest(50, 2000, 1, reach=10)),
    ):
        weights = {feature: 0.5 - 0.1 * i for i, feature in enumerate(forest.feature_names)}
        scores = forest.scores(weights)
        length = len(viterbi(forest, scores).edges)
        print(f"| {name}, {length} edges a derivation | | | | |")
        for step, work in steps(forest, weights, scores).items():
            took = seconds(work)
            rate = forest.edge_count / took / 1e6
            ratio = "" if machine.speed is None else f"{1000 * rate / machine.speed / PEER_MULTIPLY_ADDS:.2f}"
            print(f"| | {step} | {1000 * took:.2f} | {rate:.1f} | {ratio} |")
    print(f"\nThe machine: {machine.calibration}.")


if __name__ == "__main__":
    main()
