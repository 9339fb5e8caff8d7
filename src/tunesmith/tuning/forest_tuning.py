"""The call that tunes on forests that are there: a pool of forests, a method and a metric in, weights out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from tunesmith.errors import InputError
from tunesmith.files import PathLike
from tunesmith.forest.pool import ForestPool
from tunesmith.metrics import Metric, get_metric
from tunesmith.optimizers.space import Range
from tunesmith.threads import thread_count
from tunesmith.tuning.forest_recipe import ForestRecipe
from tunesmith.tuning.ground import ForestGround
from tunesmith.tuning.history import Watcher
from tunesmith.tuning.methods import configured, of_forests
from tunesmith.tuning.replicas import Setting, run_replicas
from tunesmith.tuning.result import TuneResult
from tunesmith.types import FloatArray

__all__ = ["tune_forests"]


def tune_forests(
    forests: ForestPool,
    method: str | ForestRecipe = "forest-mert",
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
    """Tune weights so that the best derivation of each forest wins under the metric.

    All options are those of `tune`; scores are of the best derivations, and the result's baseline is that of
    the start weights. `select="metric"` and the history take a pass over the forests an iteration.
    """
    if not isinstance(forests, ForestPool):
        found = type(forests).__name__
        raise InputError(f"expected a ForestPool (see ForestPool.open and ForestPool.of), found {found}")
    recipe = of_forests(configured(method, options))
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
    ground = ForestGround(forests, recipe, thread_count(threads))
    return run_replicas(ground, recipe, get_metric(metric), setting)
