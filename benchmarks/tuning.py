"""Tuning Moses' 100-best lists of Multi30k, compared with Moses' own optimizers on the same file.

On one thread. "warm" is `Pool.read` plus `tune` in a warm interpreter, mean and slowest of five seeds;
"command" is all of `tunesmith tune nbest` in a process of its own, start-up included (seed 1, the quicker of
two). The peers' seconds are of whole processes too, scaled by the calibration. Held-out: four folds, each
reranked with weights tuned on the other three (seed 1).
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np

import tunesmith as ts
from benchmarks.command import measure_command
from benchmarks.machine import SHARED, calibrate
from benchmarks.peers import show_side_by_side
from tunesmith.metrics import Bleu

PEERS = {
    "mert": (40.967, 41.0 + 1.6),
    "mira": (40.365, 0.64 + 1.6),
    "pro": (39.968, 4.7 + 1.6),
}
"""BLEU and seconds of Moses' mert (mean of 3 seeds), kbmira and pro, the extractor included."""

METHODS = ("mert", "mira", "corpus-risk", "risk", "pl", "pro", "cll", "search")
SEEDS = (1, 2, 3, 4, 5)


def main() -> None:
    candidates = SHARED / "data/moses/val.default.nbest100.gz"
    references = SHARED / "data/multi30k.val.en.xz"
    if not candidates.exists():
        print("skipped: the shared data is not beside this checkout")
        return
    machine = calibrate()
    print(f"calibration: {machine.calibration}; {machine.speed:.2f}x the peers' machine")
    _measure("mira", 1, candidates, references)  # warm
    print(
        "| method | BLEU (5 seeds) | lowest | held-out | command s | warm s | slowest | peer's BLEU"
        " | peer's s | peer / command | peer / warm |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for method in METHODS:
        runs = [_measure(method, seed, candidates, references) for seed in SEEDS]
        scores, seconds = np.array(runs).T
        held_out = _held_out(method, candidates, references)
        cells = [f"{scores.mean():.3f}", f"{scores.min():.3f}", f"{held_out:.2f}"]
        command = _command(method, candidates, references)
        cells += [f"{command:.2f}", f"{seconds.mean():.2f}", f"{seconds.max():.2f}"]
        if method in PEERS:
            score, peer = PEERS[method]
            scaled = peer / (machine.speed or 1.0)
            cells += [f"{score:.3f}", f"{scaled:.2f}"]
            cells += [f"{scaled / command:.1f}x", f"{scaled / seconds.mean():.1f}x"]
        else:
            cells += ["", "", "", ""]
        print(f"| {method} | {' | '.join(cells)} |", flush=True)
    show_side_by_side("mert", "mira")


def _measure(method: str, seed: int, candidates: object, references: object) -> tuple[float, float]:
    start = time.perf_counter()
    pool = ts.Pool.read(str(candidates), references=[str(references)])
    result = ts.tune(pool, method, "bleu", seed=seed, threads=1)
    return 100 * result.score, time.perf_counter() - start


def _command(method: str, candidates: Path, references: Path) -> float:
    """Return the wall seconds of the whole command."""
    with tempfile.TemporaryDirectory() as folder:
        files = ("--candidates", candidates, "--references", references, "-o", Path(folder) / "weights.json")
        options = ("--method", method, "--seed", 1, "--threads", 1, "--quiet")
        return measure_command("tune", "nbest", *files, *options, rounds=2).seconds


def _held_out(method: str, candidates: object, references: object) -> float:
    pool, metric = ts.Pool.read(str(candidates), references=[str(references)]), Bleu()
    total = np.zeros(metric.width)
    for fold in pool.folds(4, seed=1):
        weights = ts.tune(fold.train, method, metric, seed=1, threads=1).weights
        best = ts.rerank(fold.held_out, weights)
        total += fold.held_out.stats(metric)[best.rows].sum(axis=0)
    return 100 * float(metric.score(total))


if __name__ == "__main__":
    main()
