"""Figure 1: reranking with thousands of sparse features by PL(k) and MIRA.

Run `python -m experiments.pl.figure1`. Writes the curves as CSV (a file for each k, so that a run that was
cut off goes on with the next), all of them as curves.csv and figure1.svg, and a table of where they end.
"""

from __future__ import annotations

import csv
import json
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from experiments.pl.lists import SPARSE, chosen_features, decoded, dense_features, with_features
from experiments.pl.plot import Curve, plot
from experiments.pl.setting import TESTS, TUNING, arguments, setting_of
from tunesmith.candidates import Pool
from tunesmith.files import open_write
from tunesmith.metrics import Bleu, approximate_randomization
from tunesmith.objectives.plackett_luce import PlackettLuce
from tunesmith.optimizers.lbfgs import Lbfgs
from tunesmith.optimizers.space import Space
from tunesmith.tuning import METHODS, tune
from tunesmith.types import FloatArray
from tunesmith.weights import Weights

POSITIONS = (1, 3, 5, 7, 9, 12, 15)
ITERATIONS = 500
COLUMNS = ("iteration", "loss", "train", "held_out")


@dataclass(frozen=True)
class Learner:
    """How PL(k) is learned; all but the defaults is exploration and has a folder of its own."""

    prior: float = METHODS["pl"].l2
    iterations: int = ITERATIONS
    sparse: int = SPARSE
    seed: int = 1
    threads: int = 2

    @property
    def folder(self) -> str:
        """The name of the folder for what is learned in this way."""
        if (self.prior, self.iterations, self.sparse) == (METHODS["pl"].l2, ITERATIONS, SPARSE):
            return f"seed{self.seed}"
        return f"seed{self.seed}-prior{self.prior:g}-sparse{self.sparse}-iterations{self.iterations}"


@dataclass(frozen=True)
class Point:
    """Where a learner stands after an iteration: its loss, and BLEU of what it chooses."""

    iteration: int
    loss: float
    train: float
    held_out: float


def is_shown(iteration: int) -> bool:
    """Tell whether BLEU is taken after an iteration: the first 20, then every 5th."""
    return iteration <= 20 or iteration % 5 == 0


def bleu(pool: Pool, weights: FloatArray, threads: int) -> float:
    """Return BLEU of the candidates that weights choose."""
    metric = Bleu()
    return float(metric.score(pool.stats(metric, threads)[pool.best(weights, threads)].sum(axis=0)))


def learn(pool: Pool, held_out: Pool, k: int, learner: Learner) -> tuple[list[Point], FloatArray]:
    """Run L-BFGS on PL(k) from weights of 0, all iterations in one piece; return curve and weights."""
    threads = learner.threads
    objective = PlackettLuce.build(pool, Bleu(), seed=learner.seed, threads=threads, k=k)
    space = Space.build(pool.feature_names, len(pool), l2=learner.prior)
    optimizer = Lbfgs(iterations=learner.iterations, segment=learner.iterations, tolerance=0.0)
    points: list[Point] = []
    count = 0

    def note(loss: float, weights: FloatArray) -> None:
        nonlocal count
        count += 1
        if is_shown(count):
            points.append(Point(count, loss, bleu(pool, weights, threads), bleu(held_out, weights, threads)))

    state = optimizer.step(objective, space, optimizer.start(objective, space), note)
    return points, state.weights


def write_curve(path: Path, points: Sequence[Point]) -> None:
    """Write a curve as CSV."""
    lines = [",".join(COLUMNS)]
    lines += [f"{p.iteration},{p.loss:.8f},{100 * p.train:.4f},{100 * p.held_out:.4f}" for p in points]
    with open_write(path) as stream:
        stream.write(("\n".join(lines) + "\n").encode())


def read_curve(path: Path) -> list[Point]:
    """Read a curve that was written."""
    with path.open(encoding="utf-8") as stream:
        return [
            Point(
                int(row["iteration"]),
                float(row["loss"]),
                float(row["train"]) / 100,
                float(row["held_out"]) / 100,
            )
            for row in csv.DictReader(stream)
        ]


def run_mira(folder: Path, pool: Pool, held_out: Pool, learner: Learner) -> tuple[float, float]:
    """Tune by MIRA unless that is done; return BLEU on both sets."""
    if not (folder / "mira.json").exists():
        result = tune(pool, "mira", standardize=False, seed=learner.seed, threads=learner.threads)
        result.write(folder / "mira.weights.json")
        weights = _vector(pool, result.best.weights)
        both = [bleu(each, weights, learner.threads) for each in (pool, held_out)]
        (folder / "mira.json").write_text(json.dumps(both) + "\n")
    first, second = json.loads((folder / "mira.json").read_text())
    return first, second


def run_pl(folder: Path, pool: Pool, held_out: Pool, k: int, learner: Learner) -> None:
    """Learn PL(k) unless that is done."""
    path = folder / f"pl{k}.csv"
    if path.exists():
        return
    begin = time.monotonic()
    points, weights = learn(pool, held_out, k, learner)
    Weights.from_array(pool.feature_names, weights).write(folder / f"pl{k}.weights.json")
    write_curve(path, points)
    last = points[-1]
    print(
        f"PL({k}): {last.iteration} iterations in {time.monotonic() - begin:.0f} s,"
        f" train {100 * last.train:.2f}, held out {100 * last.held_out:.2f}",
        flush=True,
    )


def p_value(pool: Pool, baseline: FloatArray, weights: FloatArray, threads: int) -> float:
    """Return the p-value of two weights' choices being of one quality."""
    stats = pool.stats(Bleu(), threads)
    first, second = (stats[pool.best(each, threads)] for each in (baseline, weights))
    return approximate_randomization(Bleu(), first, second).p_value


def p_text(value: float) -> str:
    """Return a p-value to three digits."""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def table(
    curves: Mapping[int, Sequence[Point]], mira: tuple[float, float], p_values: Mapping[int, float]
) -> str:
    """Return where the curves end and what they were at best, in Markdown."""
    lines = [
        "| | train, at the end | held out, at the end | p, against MIRA | held out, best (iteration) |"
        " points above MIRA's line, held out |",
        "|---|---|---|---|---|---|",
        f"| MIRA | {100 * mira[0]:.2f} | {100 * mira[1]:.2f} | | | |",
    ]
    for k, points in curves.items():
        best = max(points, key=lambda point: point.held_out)
        above = sum(point.held_out > mira[1] for point in points) / len(points)
        lines.append(
            f"| PL({k}) | {100 * points[-1].train:.2f} | {100 * points[-1].held_out:.2f} |"
            f" {p_text(p_values[k])} | {100 * best.held_out:.2f} ({best.iteration}) | {above:.0%} |"
        )
    return "\n".join(lines) + "\n"


def figure(curves: Mapping[int, Sequence[Point]], mira: tuple[float, float]) -> str:
    """Return the two panels as SVG."""
    panels = {}
    for side, title in enumerate(("train", "held out")):
        shown = {
            f"PL({k})": [(p.iteration, 100 * (p.train, p.held_out)[side]) for p in points]
            for k, points in curves.items()
        }
        line = [(1, 100 * mira[side]), (max(p[-1].iteration for p in curves.values()), 100 * mira[side])]
        panels[f"BLEU, {title}"] = [Curve("MIRA", line), *(Curve(name, xy) for name, xy in shown.items())]
    return plot(panels, "L-BFGS iterations")


def _vector(pool: Pool, weights: Mapping[str, float]) -> FloatArray:
    return np.array([weights[name] for name in pool.feature_names])


def add_options(parser: ArgumentParser) -> None:
    """Add the options of a learner."""
    default = Learner()
    parser.add_argument("--prior", type=float, default=default.prior, help="strength of PL's Gaussian prior")
    parser.add_argument("--iterations", type=int, default=default.iterations, help="of L-BFGS")
    parser.add_argument("--sparse", type=int, default=default.sparse, help="how many sparse features")


def learner_of(given: Namespace) -> Learner:
    """Return the learner that parsed options stand for."""
    return Learner(given.prior, given.iterations, given.sparse, given.seed, given.threads)


def main() -> None:
    """Make the lists, learn, and write curves, figure and table."""
    parser = arguments(__doc__)
    parser.add_argument("--k", default=",".join(map(str, POSITIONS)), help="with commas [the paper's]")
    parser.add_argument("--weights", type=Path, help="of the model's features [its start weights]")
    add_options(parser)
    given = parser.parse_args()
    learner = learner_of(given)
    setting = setting_of(given)
    model = setting.model()
    weights = None if given.weights is None else Weights.read(given.weights)
    pool, held_out = (decoded(setting, part, model, weights) for part in (TUNING, TESTS[0]))
    names = chosen_features(pool, dense_features(model, pool), learner.sparse)
    pool, held_out = (with_features(each, names) for each in (pool, held_out))
    print(f"train {pool}\nheld out {held_out}", flush=True)
    folder, threads = setting.out / "figure1" / learner.folder, learner.threads
    folder.mkdir(parents=True, exist_ok=True)
    mira = run_mira(folder, pool, held_out, learner)
    print(f"MIRA: train {100 * mira[0]:.2f}, held out {100 * mira[1]:.2f}", flush=True)
    chosen = [int(k) for k in given.k.split(",")]
    for k in chosen:
        run_pl(folder, pool, held_out, k, learner)
    curves = {k: read_curve(folder / f"pl{k}.csv") for k in chosen}
    mira_weights = _vector(pool, Weights.read(folder / "mira.weights.json"))
    p_values = {
        k: p_value(
            held_out, mira_weights, _vector(pool, Weights.read(folder / f"pl{k}.weights.json")), threads
        )
        for k in chosen
    }
    rows = [
        f"PL({k}),{line}" for k in chosen for line in (folder / f"pl{k}.csv").read_text().splitlines()[1:]
    ]
    (folder / "curves.csv").write_text("\n".join(["system," + ",".join(COLUMNS), *rows]) + "\n")
    (folder / "figure1.svg").write_text(figure(curves, mira), encoding="utf-8")
    (folder / "table.md").write_text(table(curves, mira, p_values), encoding="utf-8")
    print(table(curves, mira, p_values))


if __name__ == "__main__":
    main()
