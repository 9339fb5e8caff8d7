"""The one call of online learning: a model, sentences and references in, weights out."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tunesmith.distribute import Executor, LocalExecutor
from tunesmith.distribute.hadoop_folder import RemoteFolder
from tunesmith.distribute.kept import let_go
from tunesmith.errors import OptionError
from tunesmith.files import PathLike
from tunesmith.metrics import MetricSpec, get_metric
from tunesmith.metrics.base import Metric
from tunesmith.model.manifest import this_version
from tunesmith.options import build, defaults, determinants, option_types
from tunesmith.systems.setup import Setup
from tunesmith.threads import thread_count
from tunesmith.tuning.history import Record
from tunesmith.tuning.online.checkpoints import RemoteCheckpoints
from tunesmith.tuning.online.failures import FailureReport
from tunesmith.tuning.online.folder import KIND, OnlineFolder
from tunesmith.tuning.online.frozen import check_frozen
from tunesmith.tuning.online.hope_fear import check_forests
from tunesmith.tuning.online.learner import LearnerOptions, check_rates
from tunesmith.tuning.online.mixing import MixingOptions
from tunesmith.tuning.online.options import ScheduleOptions
from tunesmith.tuning.online.result import OnlineResult
from tunesmith.tuning.online.run import ONLINE, OnlineRun, Ticks
from tunesmith.tuning.online.shards import make_shards
from tunesmith.tuning.online.updates.base import OnlineUpdate, configured_update
from tunesmith.tuning.warn import last_is_worse
from tunesmith.weights import WeightStore

__all__ = ["digest_of", "tune_online"]

CHANGEABLE = ("epochs", "patience", "start")
"""Options of the schedule that may change when a run resumes, or are recorded otherwise."""


def tune_online(
    setup: Setup,
    *,
    output: PathLike,
    update: str | OnlineUpdate = "passive-aggressive",
    metric: MetricSpec = "bleu",
    start: Mapping[str, float] | PathLike | None = None,
    select: Setup | None = None,
    executor: Executor | None = None,
    checkpoint_to: RemoteFolder | None = None,
    progress: Callable[[Record], None] | None = None,
    tick: Ticks | None = None,
    **options: Any,
) -> OnlineResult:
    """Learn weights sentence by sentence, in shards that are mixed after each epoch.

    It is the online large-margin learning of Eidelman et al. (2013), and relatives of it.

    `setup` names the decoder, the sentences and their references, such as `ModelSetup`; `select` another set
    by whose score the best epoch is chosen, and `patience` counted; without it the last is chosen.
    `start` are weights or a file of them [default: the setup's]: of a tuned run, or an earlier result. Those
    of a tuned run are scaled, so that model scores vary as much as gains, see `balancing_factor`.

    `options` are those of `ScheduleOptions` (shards, epochs, seed, average, start_scale, ...),
    `LearnerOptions` (hope_fear, nbest, beam, document and its options, boolean, shuffle, adaptive,
    rates_start, keep_rates, frozen, freeze_dense, batch, fail_fast),
    `MixingOptions` (mix, top_k, least_shards), and of the update, with the prefix `update_` if another has
    the same name.

    The folder `output` has `weights`, the selected weights so far with a record of how to decode with them,
    and `history.jsonl`. The same call resumes after a kill and ends with the same weights, bit for bit; more
    `epochs` continue a finished run. Results do not depend on the number of workers. After each epoch all
    of that is also copied to `checkpoint_to`, such as `SparkExecutor.folder("hdfs://...")`, from which the
    same call goes on if the folder `output` was lost, or is behind.
    """
    parts, rest = _divided(options)
    learner, mixing, schedule = parts[LearnerOptions], parts[MixingOptions], parts[ScheduleOptions]
    chosen = configured_update(update, rest)
    check_rates(learner, chosen)
    if schedule.patience is not None and select is None:
        raise OptionError("{} needs a select set, whose score is watched", "patience")
    if executor is not None and executor.ships:
        for each in (setup, select):
            if each is not None:
                each.check_shipping()
    measure = get_metric(metric)
    if learner.hope_fear == "forest":
        check_forests(setup, measure, chosen)
    first = _start(setup, start)
    check_frozen(learner, setup, first)
    continues = str(first.about.get("method", "")).startswith(ONLINE)
    if schedule.start_scale is None and (continues or not setup.system.balances_start):
        schedule = replace(schedule, start_scale=1.0)
    warnings = setup.system.overlap(setup.read_references(), "tuning")
    if select is not None:
        warnings += select.system.overlap(select.read_references(), "select")
    settings = {
        "update": chosen.name,
        **{f"update_{name}": value for name, value in determinants(chosen).items()},
        "metric": measure.label,
        "signature of the metric": measure.signature,
        **determinants(learner),
        **determinants(mixing),
        **{name: value for name, value in determinants(schedule).items() if name not in CHANGEABLE},
        **setup.details,
        "start weights": digest_of(first),
        "select set": None if select is None else dict(select.details),
        "version of tunesmith": this_version(),
    }
    usual = _usual(setup, chosen, learner, mixing, schedule)
    checkpoints = None if checkpoint_to is None else RemoteCheckpoints(checkpoint_to)
    with KIND.locked(output):
        if checkpoints is not None:
            checkpoints.prepare(Path(output), settings, defaults=usual, restart=schedule.restart)
        folder = OnlineFolder(output, settings, defaults=usual, restart=schedule.restart)
        count, folds, shuffle = schedule.shards, setup.folds(), learner.shuffle
        shards = make_shards(len(setup.system), count, schedule.seed, folds, shuffle=shuffle)
        of_select = None if select is None else make_shards(len(select.system), count, schedule.seed)
        folder.begin(first, shards, of_select, keep_shards=learner.keep_rates)
        own = LocalExecutor(thread_count(schedule.threads)) if executor is None else None
        try:
            run = OnlineRun(
                setup=setup,
                select=select,
                metric=measure,
                update=chosen,
                learner=learner,
                mixing=mixing,
                schedule=schedule,
                folder=folder,
                shards=shards,
                select_shards=of_select,
                executor=executor or own or LocalExecutor(),
                progress=progress or (lambda record: None),
                tick=tick or (lambda phase, done, total: None),
                failures=FailureReport(setup.place),
                select_failures=FailureReport((select or setup).place),
                checkpoints=checkpoints,
            )
            stopped = run.run()
        finally:
            if own is not None:
                own.close()
            let_go()
    result = OnlineResult(
        update=chosen.name,
        metric=measure.signature,
        weights=folder.published,
        chosen=folder.state.chosen,
        history=folder.state.records,
        stopped=stopped,
        folder=folder.folder,
        shards=len(shards),
        warnings=tuple(warnings),
        resumed_after=folder.resumed_after,
    )
    return replace(result, warnings=(*result.warnings, *_warnings(result, measure)))


def _warnings(result: OnlineResult, metric: Metric) -> Iterator[str]:
    """Yield why the result may not be what was hoped for."""
    if result.why_start is not None:
        yield result.why_start
    before, after = result.history[0]["score"], result.record.get("score")
    if after is not None and "select_score" not in result.record and metric.sign * (after - before) < 0:
        yield last_is_worse(metric, before, after)


def _divided(options: Mapping[str, Any]) -> tuple[dict[type[Any], Any], dict[str, Any]]:
    """Return the dataclasses of options, and what is left for the update."""
    rest = dict(options)
    parts = {}
    for owner in (LearnerOptions, MixingOptions, ScheduleOptions):
        own = {name: rest.pop(name) for name in option_types(owner) if name in rest}
        parts[owner] = build(owner, "online", own)
    return parts, {name.removeprefix("update_"): value for name, value in rest.items()}


def _usual(setup: Setup, update: OnlineUpdate, *options: Any) -> dict[str, object]:
    """Return the defaults of all options among the settings of a run, as for a record that lacks them."""
    found = {**setup.system.defaults, **{f"update_{name}": value for name, value in defaults(update).items()}}
    return found | {name: value for each in options for name, value in defaults(each).items()}


def _start(setup: Setup, start: Mapping[str, float] | PathLike | None) -> WeightStore:
    if start is None:
        return WeightStore.of(setup.start)
    if not isinstance(start, WeightStore):
        start = WeightStore.of(start) if isinstance(start, Mapping) else WeightStore.open(start)
    found = setup.system.fitted(start)
    return found if isinstance(found, WeightStore) else WeightStore.of(found)


def digest_of(store: WeightStore) -> str:
    """Return a digest of names and weights."""
    digest = hashlib.blake2b(digest_size=16)
    blob, offsets = store.native.name_arrays()
    for array in (blob, offsets, store.native.weights()):
        digest.update(array.tobytes())
    return digest.hexdigest()
