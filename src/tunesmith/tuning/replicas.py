"""Runs of a method on one ground from several seeds, and the best of them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tunesmith.errors import OptionError
from tunesmith.files import PathLike
from tunesmith.metrics import Metric, bootstrap_interval
from tunesmith.optimizers.space import Range, Space
from tunesmith.options import check_seed
from tunesmith.tuning.degenerate import refuse_degenerate, refuse_useless
from tunesmith.tuning.ground import Ground
from tunesmith.tuning.history import Journal, Watcher
from tunesmith.tuning.method import Method
from tunesmith.tuning.result import Replica, TuneResult
from tunesmith.tuning.warn import warnings
from tunesmith.types import FloatArray
from tunesmith.weights import Weights

__all__ = ["Setting", "run_replicas"]


REMEDY = "try --select metric, or another method"


@dataclass(frozen=True, kw_only=True)
class Setting:
    """How to tune: what `tune` is told of the weights, the seeds and the choice."""

    seed: int = 1
    start: Mapping[str, float] | FloatArray | None = None
    bounds: Mapping[str, Range] | None = None
    frozen: tuple[str, ...] = ()
    l1: float = 0.0
    l2: float | None = None
    replicas: int = 1
    select: str = "objective"
    history: PathLike | None = None
    output: PathLike | None = None
    watch: Watcher | None = None

    def __post_init__(self) -> None:
        if self.replicas < 1:
            raise OptionError(f"replicas must be at least 1, not {self.replicas}")
        check_seed(self.seed)
        check_seed(self.seed + self.replicas - 1)
        if self.select not in ("objective", "metric"):
            raise OptionError(f"select must be objective or metric, not {self.select!r}")


def run_replicas(ground: Ground, recipe: Method, metric: Metric, setting: Setting) -> TuneResult:
    """Run the method, the journal of each seed in a file of its own, and return the best run.

    With an `output`, the weights are written there before the checkpoints are removed.
    """
    space = Space.build(
        ground.names,
        ground.lists,
        start=setting.start,
        bounds=setting.bounds,
        frozen=setting.frozen,
        l1=setting.l1,
        l2=recipe.l2 if setting.l2 is None else setting.l2,
    )
    recipe.check_metric(metric)
    ground.check(metric, space)
    runs, journals = [], []
    for number in range(setting.replicas):
        seed, path = setting.seed + number, _replica_path(setting.history, number)
        journal = Journal(
            path,
            fingerprint="" if path is None else _fingerprint(ground, recipe, metric, space, seed, setting),
            score=lambda weights: ground.score(metric, weights),
            sign=metric.sign,
            watch=setting.watch,
        )
        journals.append(journal)
        runs.append(_replica(ground, recipe, metric, space, seed, journal, setting.select))
    by_metric = setting.select == "metric" or recipe.sampled
    best = min(runs, key=lambda run: -metric.sign * run.score if by_metric else run.loss)

    weights = np.array([best.weights[name] for name in ground.names])
    baseline = float(metric.score(ground.first_stats(metric, space).sum(axis=0)))
    result = TuneResult(
        recipe.name,
        metric.signature,
        metric.label,
        baseline,
        bootstrap_interval(metric, ground.best_stats(metric, weights), seed=setting.seed),
        tuple(runs),
        best,
        tuple(warnings(recipe, metric, space, baseline, best.score, REMEDY)),
        max(journal.resumed_after for journal in journals),
    )
    if setting.output is not None:
        result.write(setting.output)
    for journal in journals:
        journal.finish()
    return result


def _replica(
    ground: Ground, recipe: Method, metric: Metric, space: Space, seed: int, journal: Journal, select: str
) -> Replica:
    solution = ground.learn(metric, space, seed, journal)
    refuse_degenerate(recipe.name, solution)
    weights, loss = solution.weights, solution.loss
    score = ground.score(metric, weights)
    best = journal.best
    if select == "metric" and best is not None and metric.sign * best.score > metric.sign * score:
        score, weights, loss = best.score, best.weights, best.loss
        refuse_useless(recipe.name, weights)
    named = Weights.from_array(ground.names, weights)
    return Replica(seed, named, score, loss, solution.start_loss, journal.records, dict(solution.notes))


def _replica_path(history: PathLike | None, number: int) -> Path | None:
    if history is None:
        return None
    path = Path(history)
    return path if number == 0 else path.with_name(f"{path.stem}.replica{number + 1}{path.suffix}")


def _fingerprint(
    ground: Ground, recipe: Method, metric: Metric, space: Space, seed: int, setting: Setting
) -> str:
    """Return a digest of all that determines a run, so that a checkpoint is never taken for another's."""
    digest = hashlib.blake2b(digest_size=16)
    for array in [*ground.arrays(metric), space.start, space.lower, space.upper, space.free]:
        digest.update(np.ascontiguousarray(array).data)
    options = tuple(recipe.determinants.values())
    settings = (recipe.name, options, metric.signature, space.l1, space.l2, seed, setting.select)
    digest.update(repr((settings, ground.names)).encode())
    return digest.hexdigest()
