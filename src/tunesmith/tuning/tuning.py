"""The one call that tunes: a pool, a method and a metric in, weights out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from tunesmith.candidates.pool import Pool
from tunesmith.errors import InputError
from tunesmith.files import PathLike
from tunesmith.metrics import Metric, get_metric
from tunesmith.optimizers.space import Range
from tunesmith.threads import thread_count
from tunesmith.tuning.ground import ListGround
from tunesmith.tuning.history import Watcher
from tunesmith.tuning.methods import configured, of_lists
from tunesmith.tuning.recipe import Recipe
from tunesmith.tuning.replicas import Setting, run_replicas
from tunesmith.tuning.result import TuneResult
from tunesmith.types import FloatArray

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
    `l1` and `l2` are penalty strengths. `options` are the method's own (see `tunesmith.tuning.recipes`).

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
    recipe = of_lists(configured(method, options))
    setting = Setting(
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
        watch=watch,
    )
    return run_replicas(ListGround(pool, recipe, thread_count(threads)), recipe, get_metric(metric), setting)
