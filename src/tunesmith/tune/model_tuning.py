"""The one call that tunes with a decoder: a model, sentences and references in, weights out."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from tunesmith.decode.settings import ChartOptions, SearchOptions
from tunesmith.errors import InputError, OptionError
from tunesmith.features.base import Template
from tunesmith.files import PathLike
from tunesmith.metrics import Metric, get_metric
from tunesmith.model.manifest import this_version
from tunesmith.optimizers.space import Range
from tunesmith.options import check_seed
from tunesmith.texts import Texts
from tunesmith.threads import thread_count
from tunesmith.tune.forest_recipe import ForestRecipe
from tunesmith.tune.history import Watcher
from tunesmith.tune.loop.evidence import Evidence
from tunesmith.tune.loop.forest_evidence import ForestEvidence
from tunesmith.tune.loop.judge import DevSet, Judge, read_references
from tunesmith.tune.loop.list_evidence import ListEvidence
from tunesmith.tune.loop.loop import Limits, Loop
from tunesmith.tune.loop.result import LoopResult
from tunesmith.tune.loop.rounds import ROUNDS, Rounds, locked
from tunesmith.tune.loop.stopping import StopRules
from tunesmith.tune.methods import AnyRecipe, configured
from tunesmith.tune.recipe import Recipe
from tunesmith.tune.translators.base import Translator
from tunesmith.tune.translators.model import ModelTranslator
from tunesmith.weights import Weights

__all__ = ["FOREST_PRUNE", "tune_model"]

FOREST_PRUNE = 1e-3
"""Edges that a random derivation uses less often are not kept for later rounds."""


def tune_model(
    model: Translator | PathLike,
    source: PathLike | None,
    references: PathLike | Sequence[PathLike],
    method: str | AnyRecipe = "mert",
    metric: str | Metric = "bleu",
    *,
    output: PathLike,
    iterations: int = 20,
    nbest: int = 100,
    seed: int = 1,
    start: Mapping[str, float] | PathLike | None = None,
    start_zero: bool = False,
    bounds: Mapping[str, Range] | None = None,
    frozen: Iterable[str] = (),
    l1: float = 0.0,
    l2: float | None = None,
    interpolate: float = 1.0,
    select: Literal["objective", "metric"] = "objective",
    patience: int | None = None,
    tolerance: float = 1e-5,
    dev_source: Translator | PathLike | None = None,
    dev_references: PathLike | Sequence[PathLike] = (),
    forest_prune: float = FOREST_PRUNE,
    search: SearchOptions | ChartOptions | Mapping[str, Any] | None = None,
    templates: Sequence[Template] = (),
    input_format: str | None = None,
    prepare: bool = False,
    restart: bool = False,
    threads: int | None = None,
    progress: Callable[[str], None] | None = None,
    watch: Watcher | None = None,
    **options: object,
) -> LoopResult:
    """Tune the weights of a decoder: decode, learn from all that came up so far, and decode again.

    `model` is a directory, decoded as `search`, `templates`, `input_format` and `prepare` say, or any
    `Translator`, which has its sentences and needs no `source`. `method` learns from lists of `nbest`
    candidates or from forests; `options` are its own, with `method_` before the names of those that this call
    has too: `method_iterations`. Methods that merge forests get the union of those of
    all rounds, each pruned to edges with a posterior of `forest_prune` at least; others get the newest.

    `start`, `bounds`, `frozen`, `l1` and `l2` are those of `tune`; the start is the model's, or zero with
    `start_zero`, where the first round's translations are arbitrary. `interpolate` is the share of new
    weights in the mix with the old. Rounds end after `iterations`, when nothing new comes up, when no weight
    moves by more than `tolerance` (weights scaled to sum to 1), when the method does not improve its
    own objective, or after `patience` rounds without a better score. `select="metric"` takes the weights
    whose translations of the dev set, or without one of the tuning set, have the best score; else the last.

    The folder `output` has `weights.json`, the choice so far, and `history.jsonl`. The same call again goes
    on after a kill, and ends with the same weights to the last bit; more `iterations` go on with a run
    that has ended. Another call is refused unless it is to `restart`.
    """
    own = {name.removeprefix("method_"): value for name, value in options.items()}
    recipe = configured(method, own)
    measure, cores = get_metric(metric), thread_count(threads)
    _check(select, seed, iterations, nbest, interpolate, forest_prune)
    rules = StopRules(iterations, tolerance, patience)
    given = start if start is None or isinstance(start, Mapping) else Weights.read(start)
    opening: dict[str, Any] = {
        "options": search,
        "templates": templates,
        "input_format": input_format,
        "prepare": prepare,
        "threads": threads,
    }
    translator = _translator(model, source, given, opening)
    judge = Judge(measure, read_references(references), cores)
    judge.check_translator(translator)
    dev = None
    if dev_source is not None or dev_references:
        if dev_source is None or not dev_references:
            raise OptionError("a dev set needs both dev_source and dev_references")
        of_dev = dev_source
        if not isinstance(of_dev, Translator):
            of_dev = _translator(_directory(model), of_dev, given, opening)
        dev = DevSet(of_dev, Judge(measure, read_references(dev_references), cores))
        dev.judge.check_translator(of_dev)
    first = translator.start if given is None else Weights(given)
    if start_zero:
        first = Weights(dict.fromkeys(first, 0.0))
    limits = Limits(dict(bounds or {}), tuple(frozen), l1, recipe.l2 if l2 is None else l2)
    settings = {
        "method": recipe.name,
        "options": dataclasses.asdict(recipe),
        "metric": measure.signature,
        "nbest": nbest if isinstance(recipe, Recipe) else None,
        "forest_prune": forest_prune if isinstance(recipe, ForestRecipe) else None,
        "seed": seed,
        "model or source": translator.fingerprint,
        "references": _digest(judge.references),
        "start": dict(first),
        "limits": repr(limits),
        "interpolate": interpolate,
        "select": select,
        "patience": patience,
        "tolerance": tolerance,
        "dev set": None if dev is None else [dev.translator.fingerprint, _digest(dev.judge.references)],
        "version of tunesmith": this_version(),
    }
    with locked(output):
        rounds = Rounds(output, settings, restart=restart)
        evidence: Evidence
        folder = Path(output) / ROUNDS
        if isinstance(recipe, ForestRecipe):
            evidence = ForestEvidence(
                translator, recipe, judge.references, folder, posterior=forest_prune, threads=cores
            )
        else:
            evidence = ListEvidence(
                translator, recipe, measure, judge.references, folder, size=nbest, threads=cores
            )
        loop = Loop(
            translator,
            recipe,
            judge,
            evidence,
            rounds,
            rules,
            limits,
            first,
            seed,
            interpolate,
            select == "metric",
            dev,
            progress,
            watch,
        )
        return loop.run()


def _translator(
    model: Translator | PathLike,
    source: PathLike | None,
    start: Mapping[str, float] | None,
    opening: Mapping[str, Any],
) -> Translator:
    if isinstance(model, Translator):
        if source is not None:
            raise OptionError("a translator has its sentences; give no source beside it")
        return model
    if source is None:
        raise OptionError("expected a source: the sentences to translate")
    return ModelTranslator(model, source, weights=start, **opening)


def _directory(model: Translator | PathLike) -> PathLike:
    if isinstance(model, Translator):
        raise OptionError("a translator has its own sentences; give another one as dev_source")
    return model


def _check(
    select: str, seed: int, iterations: int, nbest: int, interpolate: float, forest_prune: float
) -> None:
    check_seed(seed)
    check_seed(seed + max(iterations, 0))
    if select not in ("objective", "metric"):
        raise OptionError(f"select must be objective or metric, not {select!r}")
    if nbest < 2:
        raise OptionError(f"nbest must be at least 2, not {nbest}")
    if not 0 < interpolate <= 1:
        raise OptionError(f"interpolate must be above 0 and at most 1, not {interpolate}")
    if not 0 <= forest_prune < 1:
        raise OptionError(f"forest_prune must be at least 0 and below 1, not {forest_prune}")


def _digest(references: Sequence[Texts]) -> str:
    if not len(references[0]):
        raise InputError("the references have no lines")
    digest = hashlib.blake2b(digest_size=16)
    for reference in references:
        digest.update(reference.offsets.tobytes() + reference.blob.tobytes())
    return digest.hexdigest()
