"""The one call that tunes on given data: lists or forests, a method and a metric in, weights out."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Literal

import numpy as np

from tunesmith.candidates.pool import Pool
from tunesmith.errors import InputError, TunesmithWarning
from tunesmith.files import PathLike
from tunesmith.forest.pool import ForestPool
from tunesmith.locks import locked_files
from tunesmith.metrics import MetricSpec, bootstrap_interval, get_metric
from tunesmith.optimizers.space import Range
from tunesmith.seeds import stream_seed
from tunesmith.tuning.data_form import warn_of_data_form
from tunesmith.tuning.held_out import HeldOutData, check_folds, cross_validate
from tunesmith.tuning.history import Record, Watcher
from tunesmith.tuning.leaks import leak_warnings
from tunesmith.tuning.method import Method, check_learns_from, configured
from tunesmith.tuning.output_files import check_replica_files, history_path
from tunesmith.tuning.replicas import Replicas, best_of
from tunesmith.tuning.result import Replica, TuneResult
from tunesmith.tuning.run import Run
from tunesmith.tuning.standardize import Standardized, unlike_scales
from tunesmith.tuning.tune_options import TuneOptions
from tunesmith.tuning.warn import (
    FIRST,
    KEPT_START,
    Before,
    many_features,
    nothing_better,
    other_method,
    result_warnings,
)
from tunesmith.types import FloatArray

__all__ = ["tune"]

DEFAULT_METHODS = {"lists": "mira", "forests": "forest-mert"}
"""mira by held-out results of loops and lists (experiments/methods/RESULTS.md)."""

BUSY = "another process is tuning and writes to this file; wait until it ends, or name another file"


def tune(
    data: Pool | ForestPool,
    method: str | Method | None = None,
    metric: MetricSpec = "bleu",
    *,
    seed: int = 1,
    start: Mapping[str, float] | FloatArray | None = None,
    bounds: Mapping[str, Range] | None = None,
    frozen: Iterable[str] = (),
    l1: float = 0.0,
    l2: float | None = None,
    standardize: bool | Standardized | None = None,
    replicas: int = 1,
    folds: int | None = None,
    held_out: Pool | ForestPool | None = None,
    select: Literal["objective", "metric"] = "objective",
    history: PathLike | None = None,
    output: PathLike | None = None,
    threads: int | None = None,
    watch: Watcher | None = None,
    **options: object,
) -> TuneResult:
    """Tune weights so that the candidates, or derivations of forests, that they rank first score best.

    `method` is mira by default, forest-mert for forests; `options` are its own (`tunesmith tune methods`).
    `start`, `frozen` and `bounds` take feature names; the last two also patterns such as `LM*`. Frozen
    features keep their start weight (0 if none is given); bounds are pairs (low, high), None for no bound.
    `l1` and `l2` are penalty strengths. `standardize` divides features by their standard deviation within
    lists while learning, which matters to methods that depend on the scale of features: `"all"` (or True),
    the `"dense"` ones, which all candidates have, or `"none"` (or False); by default mira does so with dense
    ones. Weights, bounds and start weights are of the
    original features, penalties apply to the standardized ones.

    With `history`, every iteration is written to that file as it happens, and a killed run that is
    started again in the same way resumes; with `output`, the weights are written there before the
    checkpoint is removed. Both are locked: a second process with one of them is an InputError.
    `select="metric"` takes the iteration with the best reported metric instead of the best by the method's
    own objective. `replicas` repeats the run, each time with a random stream of its own (`tunesmith.seeds`),
    and returns the best. The result does not depend on the number of threads. The baseline is the score of
    the first candidates; for forests, of the start weights.

    The score on the tuning data is higher than the score of new text. `folds` also tunes on the lists without
    one of that many folds, in turn, with all options the same, and `cross_validation` of the result is the
    score of all lists, each chosen by the weights that were tuned without it; weights are tuned on all lists
    all the same. `held_out` are other lists or forests: `held_out` of the result scores the weights on them.

    Translations and references that are visibly tokenized or cased differently are a TunesmithWarning.

    If nothing better than given start weights is found, by the method's objective or by the metric, these are
    the result, with a warning, and `improved` is False; without given ones, it is an error. Raises
    DegenerateError for results that must not be used: zero, NaN or exploding weights. A metric below the
    baseline, or of the start weights, is only a warning.
    """
    if not isinstance(data, Pool | ForestPool):
        raise InputError(
            "expected a Pool (see Pool.read and Pool.from_arrays) or a ForestPool (see ForestPool.open and"
            f" ForestPool.of), found {type(data).__name__}"
        )
    chosen = configured(method or DEFAULT_METHODS[data.noun], options)
    check_learns_from(chosen, data.noun)
    how = TuneOptions(
        seed=seed,
        start=start,
        bounds=bounds,
        frozen=tuple(frozen),
        l1=l1,
        l2=l2,
        standardize=chosen.standardized(standardize),
        replicas=replicas,
        folds=folds,
        held_out=held_out,
        select=select,
        history=history,
        output=output,
        threads=threads,
        watch=watch,
    )
    check_folds(data, how.folds)
    if how.output is not None:
        check_replica_files(how.output, how.replicas)
    warn_of_data_form(data)
    if held_out is not None:
        warn_of_data_form(held_out, "held-out ")
    with locked_files([how.history, how.output], BUSY):
        whole = Replicas.of(data, chosen, get_metric(metric), how)
        if told := many_features(chosen, whole.space):
            warnings.warn(told, TunesmithWarning, stacklevel=2)
        result, runs = _result(whole, chosen, how), list(whole.runs)
        if how.folds is not None:
            result, more = _cross_validated(result, whole, chosen, how, how.folds)
            runs += more
        if how.output is not None:
            result.write(how.output)
        for run in runs:
            if run.checkpoint is not None:
                run.checkpoint.remove()
    return result


def _result(replicas: Replicas, method: Method, how: TuneOptions) -> TuneResult:
    metric, data, space, threads = replicas.metric, replicas.data, replicas.space, replicas.threads
    held_out = None
    if how.held_out is not None:
        held_out = HeldOutData(how.held_out, data, metric, space.start, threads)
    found = replicas.learn(method, how.select)
    best = best_of(found, method, metric, how.select)
    weights = np.array([best.weights[name] for name in data.feature_names])
    before = data.baseline_stats(metric, space.start, threads).sum(axis=0)
    baseline = float(metric.score(before))
    tuned = data.best_stats(metric, weights, threads)
    start = _start_stats(replicas, how)
    warned = [
        *([] if best.improved else [nothing_better(method.name)]),
        *best.remarks,
        *leak_warnings(data, metric, space, threads),
        *_warnings(replicas, method, how, best, baseline, start),
    ]
    if held_out is not None:
        warned += held_out.warnings()
    return TuneResult(
        method.name,
        metric.signature,
        metric.label,
        baseline,
        bootstrap_interval(metric, tuned, seed=how.seed),
        tuple(found),
        best,
        tuple(warned),
        max(run.resumed_after for run in replicas.runs),
        held_out=None if held_out is None else held_out.score(best.weights),
        components=metric.components(tuned.sum(axis=0)),
        baseline_components=metric.components(before),
        start_score=None if start is None else float(metric.score(start)),
        start_components={} if start is None else metric.components(start),
    )


def _start_stats(replicas: Replicas, how: TuneOptions) -> FloatArray | None:
    """Return the statistics of given start weights; None if there are none, or the baseline is of them."""
    weights = replicas.space.start
    if how.start is None or not isinstance(replicas.data, Pool) or not weights.any():
        return None
    stats = replicas.data.best_stats(replicas.metric, weights, replicas.threads)
    return np.asarray(stats.sum(axis=0))


def _warnings(
    replicas: Replicas,
    method: Method,
    how: TuneOptions,
    best: Replica,
    baseline: float,
    start: FloatArray | None,
) -> list[str]:
    """Return what to look at; the score is compared with the better of the baseline and the start weights."""
    metric, space, data = replicas.metric, replicas.space, replicas.data
    before = Before(baseline, FIRST if isinstance(data, Pool) else KEPT_START)
    if start is not None and metric.sign * float(metric.score(start)) >= metric.sign * baseline:
        before = Before(float(metric.score(start)))
    if not best.improved:
        before = Before(best.score)
    by_metric = "" if how.select == "metric" else "to select by metric, or "
    remedy = f"try {by_metric}{other_method(method.name)}"
    better = best.loss < best.start_loss
    warned = list(
        result_warnings(method, metric, space, before, best.score, remedy, objective_improved=better)
    )
    plain = method.standardized(how.standardize) == "none"
    if isinstance(data, Pool) and plain and method.depends_on_scale(space.penalized):
        warned += filter(None, [unlike_scales(data, space, method.standardizes)])
    return warned


def _cross_validated(
    result: TuneResult, whole: Replicas, method: Method, how: TuneOptions, folds: int
) -> tuple[TuneResult, list[Run[Any]]]:
    """Return the result with its cross-validation, and the runs of the folds."""
    metric, pool = whole.metric, whole.data
    assert isinstance(pool, Pool)
    runs: list[Run[Any]] = []
    kept: list[str] = []

    def learn(lists: Pool, number: int) -> FloatArray:
        own = replace(
            how,
            seed=stream_seed(how.seed, "fold", number),
            history=None if how.history is None else history_path(how.history, f"fold{number}"),
            watch=None if how.watch is None else partial(_watch_fold, how.watch, number),
        )
        replicas = Replicas.of(lists, method, metric, own)
        runs.extend(replicas.runs)
        best = best_of(replicas.learn(method, how.select), method, metric, how.select)
        if not best.improved:
            kept.append(f"fold {number} of {folds} is scored with {KEPT_START}: nothing better was found")
        return np.array([best.weights[name] for name in lists.feature_names])

    found, warned = cross_validate(
        pool, metric, folds, whole.space.start, learn, seed=how.seed, threads=whole.threads
    )
    return replace(result, cross_validation=found, warnings=(*result.warnings, *kept, *warned)), runs


def _watch_fold(watch: Watcher, fold: int, record: Record) -> None:
    watch(record | {"fold": fold})
