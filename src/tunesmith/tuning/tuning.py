"""The one call that tunes on given data: lists or forests, a method and a metric in, weights out."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np

from tunesmith.candidates.pool import Pool
from tunesmith.errors import InputError
from tunesmith.files import PathLike
from tunesmith.forest.pool import ForestPool
from tunesmith.locks import locked_files
from tunesmith.metrics import Metric, bootstrap_interval, get_metric
from tunesmith.optimizers.space import Range, Space
from tunesmith.options import determinants
from tunesmith.threads import thread_count
from tunesmith.tuning.checkpoint import Checkpoint
from tunesmith.tuning.data import TrainingData
from tunesmith.tuning.degenerate import refuse_degenerate, refuse_useless
from tunesmith.tuning.history import History, Watcher
from tunesmith.tuning.method import Method, check_learns_from, configured
from tunesmith.tuning.result import Replica, TuneResult
from tunesmith.tuning.run import Run, Solution
from tunesmith.tuning.tune_options import TuneOptions
from tunesmith.tuning.warn import result_warnings
from tunesmith.types import FloatArray
from tunesmith.weights import Weights

__all__ = ["tune", "tune_forests"]

DEFAULT_METHODS = {"lists": "mert", "forests": "forest-mert"}

REMEDY = "try to select by metric, or another method"
BUSY = "another process is tuning and writes to this file; wait until it ends, or name another file"


def tune(
    data: Pool | ForestPool,
    method: str | Method | None = None,
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
    """Tune weights so that the candidates, or derivations of forests, that they rank first score best.

    `method` is mert by default, forest-mert for forests; `options` are its own (`tunesmith tune methods`).
    `start`, `frozen` and `bounds` take feature names; the last two also patterns such as `LM*`. Frozen
    features keep their start weight (0 if none is given); bounds are pairs (low, high), None for no bound.
    `l1` and `l2` are penalty strengths.

    With `history`, every iteration is written to that file as it happens, and a killed run that is started
    again in the same way resumes; with `output`, the weights are written there before the checkpoint is
    removed. Both are locked: a second process with one of them is an InputError. `select="metric"` takes the
    iteration with the best reported metric instead of the best by the method's own objective. `replicas`
    repeats the run from seeds seed, seed + 1, ... and returns the best. The result does not depend on the
    number of threads. The baseline is the score of the first candidates or, for forests, of the start
    weights.

    Raises DegenerateError for results that must not be used: zero, NaN or exploding weights, or an
    objective that did not improve. A metric below the baseline is only a warning.
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
        replicas=replicas,
        select=select,
        history=history,
        output=output,
        threads=threads,
        watch=watch,
    )
    with locked_files([how.history, how.output], BUSY):
        runs = _runs(data, chosen, get_metric(metric), how)
        found = [_replica(run, chosen, chosen.learn(run), how.select) for run in runs]
        result = _result(runs[0], chosen, found, how, max(run.resumed_after for run in runs))
        if how.output is not None:
            result.write(how.output)
        for run in runs:
            if run.checkpoint is not None:
                run.checkpoint.remove()
    return result


def tune_forests(forests: ForestPool, *arguments: Any, **options: Any) -> TuneResult:
    """Call `tune`, which takes forests too."""
    warnings.warn("tune_forests is now tune, which takes forests too", DeprecationWarning, stacklevel=2)
    return tune(forests, *arguments, **options)


def _runs(data: TrainingData, method: Method, metric: Metric, how: TuneOptions) -> list[Run[Any]]:
    """Return a run per seed, each with a history of its own; refuse data that cannot lead to a result."""
    threads = thread_count(how.threads)
    space = Space.build(
        data.feature_names,
        len(data),
        start=how.start,
        bounds=how.bounds,
        frozen=how.frozen,
        l1=how.l1,
        l2=method.l2 if how.l2 is None else how.l2,
    )
    method.check_metric(metric)
    data.refuse_hopeless(metric, space.free, threads)
    digest = "" if how.history is None else _digest(data, method, metric, space, how.select, threads)
    runs: list[Run[Any]] = []
    for number in range(how.replicas):
        seed, path = how.seed + number, _history_path(how.history, number)
        checkpoint = None if path is None else Checkpoint.of(path, f"{digest} {seed}")
        history = History(path, how.watch)
        runs.append(Run(data, metric, space, seed, threads, history, checkpoint, scored=True))
    return runs


def _history_path(history: PathLike | None, number: int) -> Path | None:
    if history is None:
        return None
    path = Path(history)
    return path if number == 0 else path.with_name(f"{path.stem}.replica{number + 1}{path.suffix}")


def _digest(
    data: TrainingData, method: Method, metric: Metric, space: Space, select: str, threads: int
) -> str:
    """Return a digest of all that determines a run but its seed, so that no other run resumes it."""
    digest = hashlib.blake2b(digest_size=16)
    arrays = data.fingerprint_arrays(metric, threads)
    for array in [*arrays, space.start, space.lower, space.upper, space.free]:
        digest.update(np.ascontiguousarray(array).data)
    options = tuple(determinants(method).values())
    settings = (method.name, options, metric.signature, space.l1, space.l2, select, data.feature_names)
    digest.update(repr(settings).encode())
    return digest.hexdigest()


def _replica(run: Run[Any], method: Method, solution: Solution, select: str) -> Replica:
    """Return the solution or, with select="metric", the iteration with the best metric."""
    refuse_degenerate(method.name, solution)
    weights, loss = solution.weights, solution.loss
    score, best, sign = run.score(weights), run.best, run.metric.sign
    if select == "metric" and best is not None and sign * best.score > sign * score:
        score, weights, loss = best.score, best.weights, best.loss
        refuse_useless(method.name, weights)
    named = Weights.from_array(run.data.feature_names, weights)
    return Replica(
        run.seed, named, score, loss, solution.start_loss, run.history.records, dict(solution.notes)
    )


def _result(
    run: Run[Any], method: Method, replicas: list[Replica], how: TuneOptions, resumed_after: int
) -> TuneResult:
    metric, data = run.metric, run.data
    by_metric = how.select == "metric" or method.sampled
    best = min(replicas, key=lambda each: -metric.sign * each.score if by_metric else each.loss)
    weights = np.array([best.weights[name] for name in data.feature_names])
    before = data.baseline_stats(metric, run.space.start, run.threads)
    baseline = float(metric.score(before.sum(axis=0)))
    return TuneResult(
        method.name,
        metric.signature,
        metric.label,
        baseline,
        bootstrap_interval(metric, data.best_stats(metric, weights, run.threads), seed=how.seed),
        tuple(replicas),
        best,
        tuple(result_warnings(method, metric, run.space, baseline, best.score, REMEDY)),
        resumed_after,
    )
