"""PL(5) on generated lists with thousands of sparse features: speed, and whether the planted ranking returns.

1,275 lists of 300 candidates, 7,491 features of which 60 fire in a candidate (the size of the
reranking task of Xia, Zhai and Wang 2019). A planted weight vector and noise make the quality of
each candidate; half as much data again is held out. Run with `python -m benchmarks.plackett_luce`.
"""

from __future__ import annotations

import time

import numpy as np

from tunesmith.candidates.features import Features
from tunesmith.candidates.pool import Pool
from tunesmith.metrics.precomputed import Precomputed
from tunesmith.objectives.base import SmoothObjective
from tunesmith.objectives.pairwise import Pairwise
from tunesmith.objectives.plackett_luce import PlackettLuce
from tunesmith.optimizers.lbfgs import Lbfgs
from tunesmith.optimizers.space import Space
from tunesmith.threads import thread_count
from tunesmith.types import FloatArray

LISTS, HELD_OUT, CANDIDATES, FEATURES, ACTIVE = 1275, 640, 300, 7491, 60
OFFERED = 150
"""Features that a list offers; each of its candidates has 60 of them, as translations share words."""
NOISE = 0.5
"""Standard deviation of the noise, in units of that of the planted scores within a list."""
ITERATIONS = 500


def generate(lists: int, seed: int) -> Pool:
    """Make lists; the planted weights are the same for every seed, all else follows it."""
    planted = np.random.default_rng(0).standard_normal(FEATURES)
    frequency = 1.0 / (np.arange(FEATURES) + 20.0)
    random = np.random.default_rng(seed)
    columns = np.empty((lists, CANDIDATES, ACTIVE), dtype=np.int32)
    for one in columns:
        # The largest of u^(1/f) are a weighted draw without replacement.
        keys = np.log(random.random(FEATURES)) / frequency
        offered = np.argpartition(-keys, OFFERED)[:OFFERED]
        taken = np.argpartition(random.random((CANDIDATES, OFFERED)), ACTIVE)[:, :ACTIVE]
        one[:] = np.sort(offered[taken], axis=1)
    values = random.standard_normal(columns.shape)
    scores = (values * planted[columns]).sum(axis=-1)
    noise = NOISE * scores.std(axis=1, keepdims=True) * random.standard_normal(scores.shape)
    quality = 1.0 / (1.0 + np.exp(-(scores + noise) / 8.0))
    rows = lists * CANDIDATES
    features = Features(
        tuple(f"f{index}" for index in range(FEATURES)),
        np.arange(rows + 1, dtype=np.int64) * ACTIVE,
        columns.reshape(-1),
        values.reshape(-1),
    )
    ids = tuple(str(index) for index in range(lists))
    offsets = np.arange(lists + 1, dtype=np.int64) * CANDIDATES
    return Pool(ids, offsets, features, scores={"planted": quality.reshape(-1)})


def fit(objective: SmoothObjective, pool: Pool, l2: float) -> tuple[FloatArray, int, float]:
    """Run L-BFGS to its full number of iterations; return weights, iterations and seconds."""
    space = Space.build(pool.feature_names, len(pool), l2=l2)
    optimizer = Lbfgs(iterations=ITERATIONS, tolerance=0.0)
    iterations = 0

    def count(loss: float, weights: FloatArray) -> None:
        nonlocal iterations
        iterations += 1

    begin = time.perf_counter()
    state = optimizer.start(objective, space)
    while not state.done:
        state = optimizer.step(objective, space, state, count)
    return state.weights, iterations, time.perf_counter() - begin


def top1(pool: Pool, weights: FloatArray) -> float:
    """Return the mean quality of the candidates that the model chooses."""
    return float(pool.scores["planted"][pool.best(weights)].mean())


def tau_at_5(pool: Pool, weights: FloatArray) -> float:
    """Return Kendall's tau of the model's order of the five best candidates of a list, on average."""
    quality = pool.scores["planted"].reshape(-1, CANDIDATES)
    best = np.argsort(-quality, axis=1)[:, :5]
    scores = np.take_along_axis(pool.features.dot(weights).reshape(-1, CANDIDATES), best, axis=1)
    above, below = np.triu_indices(5, 1)
    return float(np.sign(scores[:, above] - scores[:, below]).mean())


def main() -> None:
    """Print the seconds of 500 iterations, then a line for each learner and prior.

    PRO is shown with several priors, so that its best stands beside PL(5) with the paper's own.
    """
    metric, threads = Precomputed(column="planted"), thread_count(None)
    pool, held_out = generate(LISTS, seed=1), generate(HELD_OUT, seed=2)
    ranked = PlackettLuce.build(pool, metric, seed=1, threads=threads)
    _, iterations, seconds = fit(ranked, pool, l2=0.0)
    print(f"PL(5), no prior: {iterations} L-BFGS iterations in {seconds:.2f} s on {threads} threads")

    oracle = held_out.scores["planted"].reshape(-1, CANDIDATES).max(axis=1).mean()
    print(f"held-out lists; the best possible top-1 is {oracle:.4f}")
    print(f"{'':6} {'l2':>6} {'iterations':>10} {'seconds':>8} {'top-1':>7} {'tau at 5':>9}")
    pairs = Pairwise.build(pool, metric, seed=1, threads=threads)
    runs = [("PL(5)", ranked, 1.0), *(("PRO", pairs, l2) for l2 in (1.0, 0.1, 0.02, 0.001))]
    for name, objective, l2 in runs:
        weights, iterations, seconds = fit(objective, pool, l2)
        quality, tau = top1(held_out, weights), tau_at_5(held_out, weights)
        print(f"{name:6} {l2:6g} {iterations:10} {seconds:8.2f} {quality:7.4f} {tau:9.4f}")


if __name__ == "__main__":
    main()
