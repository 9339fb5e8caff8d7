"""The one call that tunes: a pool, a method and a metric in, weights out."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal

import numpy as np

from tunesmith.candidates.pool import Pool
from tunesmith.errors import InputError, OptionError
from tunesmith.files import PathLike
from tunesmith.metrics import Metric, bootstrap_interval, get_metric
from tunesmith.optimizers.space import Range, Space
from tunesmith.options import check_seed
from tunesmith.threads import thread_count
from tunesmith.tune.degenerate import refuse_degenerate, refuse_hopeless, refuse_useless
from tunesmith.tune.history import Journal, Watcher
from tunesmith.tune.recipe import RECIPES, Recipe, Solution, Task
from tunesmith.tune.result import Replica, TuneResult
from tunesmith.tune.warn import warnings
from tunesmith.types import FloatArray
from tunesmith.weights import Weights

__all__ = ["tune"]


def tune(
    pool: Pool,
    method: str | Recipe = "mert",
    metric: str | Metric = "bleu",
    *,
    seed: int = 1,
    start: Mapping[str, float] | FloatArray | None = None,
    bounds: Mapping[str, Range] | None = None,
    frozen: Iterable[str] = (),
    l1: float = 0.0,
    l2: float | None = None,
    replicas: int = 1,
    select: Literal["objective", "metric"] = "objective",
    history: PathLike | None = None,
    output: PathLike | None = None,
    threads: int | None = None,
    watch: Watcher | None = None,
    **options: object,
) -> TuneResult:
    """Tune weights so that the best candidate of each list wins under the metric.

    `start`, `frozen` and `bounds` take feature names; the last two also patterns such as `LM*`. Frozen
    features keep their start weight (0 if none is given); bounds are pairs (low, high), None for no bound.
    `l1` and `l2` are penalty strengths. `options` are the method's own (see `tunesmith.tune.recipes`).

    With `history`, every iteration is written to that file as it happens, and a killed run that is
    started again in the same way goes on where it stopped; with `output`, the weights are written there
    before the checkpoint is removed. `select="metric"` takes the iteration with the best reported metric
    instead of the best by the method's own objective. `replicas` repeats the run from seeds seed,
    seed + 1, ... and returns the best. The result does not depend on the number of threads.

    Raises DegenerateError for results that must not be used: zero, NaN or exploding weights, or an
    objective that did not improve. A metric below that of the given order is only a warning.
    """
    if not isinstance(pool, Pool):
        raise InputError(f"expected a Pool (see Pool.read and Pool.from_arrays), found {type(pool).__name__}")
    recipe = method if isinstance(method, Recipe) else RECIPES[method].configure(options)
    if isinstance(method, Recipe) and options:
        raise OptionError(f"options {sorted(options)} are given twice: set them on the recipe")
    if replicas < 1:
        raise OptionError(f"replicas must be at least 1, not {replicas}")
    check_seed(seed)
    check_seed(seed + replicas - 1)
    if select not in ("objective", "metric"):
        raise OptionError(f"select must be objective or metric, not {select!r}")
    measure, cores = get_metric(metric), thread_count(threads)
    strength = recipe.l2 if l2 is None else l2
    space = Space.build(
        pool.feature_names, len(pool), start=start, bounds=bounds, frozen=frozen, l1=l1, l2=strength
    )
    refuse_hopeless(pool, measure, space.free, cores)

    runs, journals = [], []
    for number in range(replicas):
        path = _replica_path(history, number)
        fingerprint = (
            "" if path is None else _fingerprint(pool, recipe, measure, space, seed + number, select)
        )
        journal = Journal(
            path,
            fingerprint=fingerprint,
            score=lambda weights: _score(pool, measure, weights, cores),
            sign=measure.sign,
            watch=watch,
        )
        journals.append(journal)
        task = Task(pool, measure, space, seed + number, cores, journal)
        runs.append(_replica(recipe, task, select))
    by_metric = select == "metric" or recipe.sampled
    best = min(runs, key=lambda run: -measure.sign * run.score if by_metric else run.loss)

    weights = np.array([best.weights[name] for name in pool.feature_names])
    stats = pool.stats(measure, cores)
    baseline = float(measure.score(stats[pool.offsets[:-1]].sum(axis=0)))
    result = TuneResult(
        recipe.name,
        measure.signature,
        measure.label,
        baseline,
        bootstrap_interval(measure, stats[pool.best(weights, cores)], seed=seed),
        tuple(runs),
        best,
        tuple(warnings(recipe, measure, space, baseline, best.score)),
        max(journal.resumed_after for journal in journals),
    )
    if output is not None:
        result.write(output)
    for journal in journals:
        journal.finish()
    return result


def _replica(recipe: Recipe, task: Task, select: str) -> Replica:
    solution: Solution = recipe.run(task)
    refuse_degenerate(recipe.name, solution)
    journal, metric = task.journal, task.metric
    weights, loss = solution.weights, solution.loss
    score = _score(task.pool, metric, weights, task.threads)
    best = journal.best
    if select == "metric" and best is not None and metric.sign * best.score > metric.sign * score:
        score, weights, loss = best.score, best.weights, best.loss
        refuse_useless(recipe.name, weights)
    named = Weights.from_array(task.pool.feature_names, weights)
    notes = dict(solution.notes)
    return Replica(task.seed, named, score, loss, solution.start_loss, journal.records, notes)


def _score(pool: Pool, metric: Metric, weights: FloatArray, threads: int) -> float:
    return float(metric.score(pool.stats(metric, threads)[pool.best(weights, threads)].sum(axis=0)))


def _replica_path(history: PathLike | None, number: int) -> Path | None:
    if history is None:
        return None
    path = Path(history)
    return path if number == 0 else path.with_name(f"{path.stem}.replica{number + 1}{path.suffix}")


def _fingerprint(pool: Pool, recipe: Recipe, metric: Metric, space: Space, seed: int, select: str) -> str:
    """Return a digest of all that determines a run, so that a checkpoint is never taken for another's."""
    digest = hashlib.blake2b(digest_size=16)
    arrays = [
        pool.offsets,
        pool.features.offsets,
        pool.features.columns,
        pool.features.values,
        pool.stats(metric),
    ]
    arrays += [space.start, space.lower, space.upper, space.free]
    for array in arrays:
        digest.update(np.ascontiguousarray(array).data)
    settings = (recipe.name, dataclasses.astuple(recipe), metric.signature, space.l1, space.l2, seed, select)
    digest.update(repr((settings, pool.feature_names)).encode())
    return digest.hexdigest()
