"""The one call that tunes with a decoder: a model, sentences and references in, weights out."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tunesmith.corpus.sets import check_same_segments
from tunesmith.decode.settings import ChartOptions, SearchOptions
from tunesmith.errors import InputError, Message, OptionError, TunesmithWarning
from tunesmith.features.base import Template
from tunesmith.files import PathLike
from tunesmith.metrics import MetricSpec, get_metric
from tunesmith.model.jackknife import JackknifeOptions
from tunesmith.model.manifest import this_version
from tunesmith.named_files import own_file
from tunesmith.optimizers.space import Range
from tunesmith.options import defaults, determinants
from tunesmith.systems.base import System
from tunesmith.systems.model import ModelSystem
from tunesmith.threads import thread_count
from tunesmith.tuning.history import Watcher
from tunesmith.tuning.loop.accumulated import Accumulated
from tunesmith.tuning.loop.accumulated_forests import AccumulatedForests
from tunesmith.tuning.loop.accumulated_lists import AccumulatedLists
from tunesmith.tuning.loop.judge import Judge
from tunesmith.tuning.loop.loop import Limits, Loop
from tunesmith.tuning.loop.options import LoopOptions
from tunesmith.tuning.loop.result import LoopResult
from tunesmith.tuning.loop.rounds import KIND, ROUNDS, Rounds
from tunesmith.tuning.loop.start_settings import start_settings
from tunesmith.tuning.loop.stopping import StopRules
from tunesmith.tuning.loop.text_sets import (
    digest_of,
    files_of,
    judge_of,
    select_set,
    system_for,
    target_side,
)
from tunesmith.tuning.method import ForestMethod, Method, configured
from tunesmith.tuning.standardize import Standardized
from tunesmith.tuning.trial_record import TRIES
from tunesmith.tuning.tune_options import Selected
from tunesmith.weights import Weights, open_weights

__all__ = ["check_context", "check_standardize", "tune_model"]

NBEST = 100
"""Default number of candidates per list."""
GRAMMARS, SELECT_GRAMMARS = ".grammars", ".select-grammars"
"""Files of the rules of the sentences, in the folder of the run while it is not finished."""


def tune_model(
    model: System | PathLike,
    source: PathLike | None,
    references: PathLike | Sequence[PathLike],
    method: str | Method = "mira",
    metric: MetricSpec = "bleu",
    *,
    output: PathLike,
    iterations: int = 20,
    nbest: int | None = None,
    seed: int = 1,
    start: Mapping[str, float] | PathLike | None = None,
    start_zero: bool = False,
    bounds: Mapping[str, Range] | None = None,
    frozen: Iterable[str] = (),
    l1: float = 0.0,
    l2: float | None = None,
    standardize: bool | Standardized | None = None,
    interpolate: float = 1.0,
    select: Selected | None = None,
    patience: int | None = None,
    tolerance: float = 1e-5,
    least_improvement: float | None = None,
    select_source: System | PathLike | None = None,
    select_references: PathLike | Sequence[PathLike] = (),
    forest_density: float | None = None,
    search: SearchOptions | ChartOptions | Mapping[str, Any] | None = None,
    templates: Sequence[Template] = (),
    input_format: str | None = None,
    prepare: bool = False,
    jackknife: JackknifeOptions | None = None,
    restart: bool = False,
    threads: int | None = None,
    progress: Callable[[str], None] | None = None,
    watch: Watcher | None = None,
    phase: Callable[[str], None] | None = None,
    **options: object,
) -> LoopResult:
    """Tune the weights of a decoder: decode, learn from all rounds so far, and decode again.

    `model` is a directory, decoded with `search`, `templates` and `input_format`, or any `System`, which
    has its own sentences and no `source`. `prepare` tokenizes and cases raw text like the model's training
    text: sources by its source side, references (of the select set, too) by its target side.

    With `jackknife` the tuning set is of the training text, and each sentence is translated without its fold
    (`tunesmith.model.jackknife`); a select set is other text.

    `method` learns from lists of `nbest` candidates (100) or from forests; `options` are its own, with the
    prefix `method_` if this call has an option of the same name: `method_memory`. Methods that merge
    forests get the union of the newest forests and of earlier rounds, each pruned to the `forest_density`
    edges per word with the best derivations (0: no pruning; default: the method's `density`); other methods
    get the newest.

    `start`, `bounds`, `frozen`, `l1` and `l2` are as in `tune`; the default start is the model's weights, or
    zero with `start_zero`, where the first translations are arbitrary. `standardize` divides features by
    their deviation within the lists of all rounds so far while learning: `"all"` (or True), the `"dense"`
    ones, `"none"` (or False), or `"mean"`: the mean of what is learned with the dense ones divided and
    without, which takes no penalty (`l1`, `l2`), and is of the dense ones alone in rounds where features are
    of unlike scale, as a warning says; by default mira the dense ones. Weights are of the original ones.
    `interpolate` is the share of the new weights in the interpolation with the old. The loop stops after
    `iterations`, when there are no new candidates, when no weight changes by more than `tolerance` (weights
    L1-normalized), when the method improves its own objective by no more than the share `least_improvement`
    (default: the method's, 0 for most; mira goes on while more than a tenth of all candidates are new), or
    after `patience` rounds without a better score. `select="metric"` selects the weights whose translations
    of the select set (without one: the tuning set) score best, `"objective"` the last; by default
    mert and forest-mert select by the metric, as their rounds go up and down. A call without `select` that
    continues a run selects as that did; runs of builds that did not record it, by the objective. The select
    set is `select_source` with `select_references`.

    The folder `output` contains `weights.json`, the selected weights so far (more than 10,000 are the mapped
    file `weights`), and `history.jsonl`. The same
    call resumes after a kill, and ends with the same weights to the last bit; with more `iterations` it
    continues a finished run. `select`, `patience`, `tolerance` and `least_improvement` may change between
    calls, other options only with `restart` once a round is finished.

    Sentences that the model was trained on are counted in `warnings` of the result, and on `progress` first.

    `progress` is called with one line per round, `phase` with the phase that begins, `watch` with each step
    of the method.
    """
    own = {name.removeprefix("method_"): value for name, value in options.items()}
    chosen = configured(method, own)
    measure, cores = get_metric(metric), thread_count(threads)
    chosen.check_metric(measure)
    standardized = chosen.standardized(standardize)
    how = LoopOptions(
        iterations=iterations,
        nbest=nbest,
        seed=seed,
        start=start,
        start_zero=start_zero,
        bounds=bounds,
        frozen=tuple(frozen),
        l1=l1,
        l2=l2,
        standardize=standardized,
        interpolate=interpolate,
        select=select,
        patience=patience,
        tolerance=tolerance,
        least_improvement=least_improvement,
        forest_density=forest_density,
        restart=restart,
        threads=threads,
    )
    size, density = _list_size(chosen, how.nbest), _density(chosen, how.forest_density)
    check_context(chosen, search)
    check_standardize(chosen, standardized, l1, l2)
    least = chosen.least_improvement if least_improvement is None else least_improvement
    rules = StopRules(iterations, tolerance, patience, least)
    given = start if start is None or isinstance(start, Mapping) else open_weights(start)
    opening: dict[str, Any] = {
        "announce": progress,
        "options": search,
        "templates": templates,
        "input_format": input_format,
        "prepare": prepare,
        "threads": threads,
        "grammars": Path(output) / GRAMMARS,
        "progress": progress,
    }
    check_same_segments(files_of(source, references))
    target = target_side(model, prepare, cores)
    judge = judge_of(measure, references, cores, target)
    system = _tuned(model, source, given, opening, jackknife, judge)
    judge.check(len(system), source)
    dev = None
    if select_source is not None or select_references:
        other = {**opening, "grammars": Path(output) / SELECT_GRAMMARS}
        dev = select_set(
            select_source, select_references, model, given, other, measure=measure, cores=cores, target=target
        )
    overlap = system.overlap(judge.references, "tuning")
    if dev is not None:
        overlap += dev.system.overlap(dev.judge.references, "select")
    if progress is not None:
        for message in overlap:
            progress(f"warning: {message}")
    first = system.start if given is None else Weights(system.fitted(Weights(given)))
    if start_zero:
        first = Weights(dict.fromkeys(first, 0.0))
    limits = Limits(dict(bounds or {}), how.frozen, l1, chosen.l2 if l2 is None else l2)
    settings = {
        "method": chosen.name,
        **{f"method_{name}": value for name, value in determinants(chosen).items()},
        "metric": measure.label,
        "signature of the metric": measure.signature,
        "nbest": size,
        "forest_density": density,
        "seed": seed,
        **system.details,
        "references": digest_of(judge.references),
        **start_settings(first),
        **limits.settings,
        # Not in folders of runs without it; all features are `true`, as in folders of earlier versions.
        **({} if standardized == "none" else {"standardize": standardized == "all" or standardized}),
        "interpolate": interpolate,
        "dev set": None if dev is None else [dev.system.fingerprint, digest_of(dev.judge.references)],
        "version of tunesmith": this_version(),
    }
    with KIND.locked(output, _is_run):
        of_method = {f"method_{name}": value for name, value in defaults(chosen).items()}
        usual = {**system.defaults, **of_method}
        gone = {f"method_{name}": value for name, value in chosen.gone.items()}
        rounds = Rounds(output, settings, defaults=usual, gone=gone, restart=restart)
        grammars = _grammar_files(output)
        accumulated: Accumulated
        folder = Path(output) / ROUNDS
        if isinstance(chosen, ForestMethod):
            accumulated = AccumulatedForests(
                system, chosen, judge.references, folder, density=density or 0.0, threads=cores
            )
        else:
            accumulated = AccumulatedLists(
                system, measure, judge.references, folder, size=size or NBEST, threads=cores
            )
        loop = Loop(
            system=system,
            method=chosen,
            judge=judge,
            accumulated=accumulated,
            rounds=rounds,
            rules=rules,
            limits=limits,
            start=first,
            seed=seed,
            interpolate=interpolate,
            standardize=standardized,
            by_score=_selected(rounds, select, chosen, progress) == "metric",
            dev=dev,
            progress=progress,
            watch=watch,
            phase=phase,
        )
        result = loop.run()
        for path in grammars:
            path.unlink(missing_ok=True)
        return replace(result, warnings=(*overlap, *result.warnings))


def _is_run(folder: Path) -> bool:
    """Whether the folder has a run; one of tries is an InputError, as one of anything else."""
    if (folder / f"{TRIES}.json").is_file():
        raise InputError(
            "contains tries of `tunesmith tune model`: give {} again to continue them, or name another"
            " folder",
            "try",
            path=folder,
        )
    return KIND.is_in(folder)


def _selected(
    rounds: Rounds, select: Selected | None, method: Method, progress: Callable[[str], None] | None
) -> Selected:
    """Return how weights are selected; say so where an earlier call decides, and a new run would differ."""
    found, usual = rounds.selects(select, method.selects), method.selects
    if progress is not None and select is None and found != usual:
        progress(
            f"weights are selected by {found}, as in this run so far; a run of {method.name} that begins now"
            f" selects by {usual}"
        )
    return found


def _grammar_files(output: PathLike) -> list[Path]:
    """Return the paths of the files of rules, which are no links and no folders."""
    paths = [own_file(output, name) for name in (GRAMMARS, SELECT_GRAMMARS)]
    for path in paths:
        if path.is_dir():
            raise InputError("is a folder where the run would keep rules; remove it", path=path)
    return paths


def _tuned(
    model: System | PathLike,
    source: PathLike | None,
    start: Mapping[str, float] | None,
    opening: Mapping[str, Any],
    options: JackknifeOptions | None,
    judge: Judge,
) -> System:
    if options is None:
        return system_for(model, source, start, opening)
    if isinstance(model, System) or source is None:
        raise OptionError("{} needs the directory of a model and a source", "jackknife")
    return ModelSystem.open(
        model, source, jackknife=options, references=judge.references[0], weights=start, **opening
    )


def _list_size(method: Method, nbest: int | None) -> int | None:
    """Return the number of candidates per list; None for methods that learn from forests."""
    if isinstance(method, ForestMethod):
        if nbest is not None:
            text = Message(
                "{} is for methods of candidate lists; {name} learns from forests and needs none",
                "nbest",
                name=method.name,
            )
            warnings.warn(text, TunesmithWarning, stacklevel=3)
        return None
    return NBEST if nbest is None else nbest


def check_standardize(
    method: Method, standardize: Standardized, l1: float = 0.0, l2: float | None = None
) -> None:
    """Refuse standardized features for methods over forests, and a mean for those with another loss or with
    a penalty; `l2` None is the method's."""
    if standardize != "none" and isinstance(method, ForestMethod):
        raise OptionError(
            "{} is for methods of candidate lists; {name} learns from forests",
            "standardize",
            name=method.name,
        )
    if standardize == "mean" and method.standardizes == "none":
        raise OptionError("{} cannot be 'mean' for {name}, only for mira", "standardize", name=method.name)
    if standardize == "mean" and (l1 > 0 or (method.l2 if l2 is None else l2) > 0):
        raise OptionError(
            "{} cannot be 'mean' with a penalty, which is of weights of one scale: give 'dense', or {} 0 and"
            " {} 0",
            "standardize",
            "l1",
            "l2",
        )


def check_context(method: Method, search: SearchOptions | ChartOptions | Mapping[str, Any] | None) -> None:
    """Refuse a search context that is smaller than the method needs."""
    least = method.context if isinstance(method, ForestMethod) else 0
    given = search.get("context") if isinstance(search, Mapping) else getattr(search, "context", None)
    if given and given < least:
        wrong = {"method": method.name, "least": least, "given": given}
        raise OptionError(
            "{method} needs {} to be at least {least}, not {given}; omit it to use {least}",
            "context",
            **wrong,
        )


def _density(method: Method, given: float | None) -> float | None:
    """Return the edges per word that unions keep, by default the method's; None without unions."""
    if not (isinstance(method, ForestMethod) and method.merges):
        return None
    return method.density if given is None else given
