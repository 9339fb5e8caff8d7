"""Choosing options on held-out text: tune with each, and keep what translates the text best."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from tunesmith.errors import InputError, OptionError
from tunesmith.files import PathLike
from tunesmith.tuning.loop.result import LoopResult
from tunesmith.tuning.loop.rounds import RUN, publish, published
from tunesmith.tuning.trial_record import KIND, TRIES, Trial, TrialRecord, Untried, known_trials
from tunesmith.tuning.tried_options import common_select, parted, words_of

__all__ = ["Comparison", "Trial", "TriedSearch", "try_search"]

SELECTED_ALIKE = (
    "some of these methods select the last round, others the one with the best score: here all select the one"
    " with the best score on the select set"
)


class Comparison(Protocol):
    """What trials are compared with: start weights, and no option tried; see `UntriedSearch`."""

    @property
    def digest(self) -> str:
        """A digest of what the score depends on."""

    def score(self) -> float:
        """Return the score of the select set, 0 to 1."""

    def show(self, score: float) -> str:
        """Return a score as text."""


@dataclass(frozen=True)
class TriedSearch:
    """The record of all trials, and the result of the best one, with the weights in the folder of all."""

    record: TrialRecord
    result: LoopResult
    at_start: tuple[int, ...] = ()
    """The numbers of the trials that ended at their start weights, as nothing better was found."""

    @property
    def trials(self) -> tuple[Trial, ...]:
        """All trials."""
        return self.record.trials

    @property
    def best(self) -> int:
        """The number of the trial that was kept."""
        return self.record.best

    @property
    def all_worse(self) -> bool:
        """Whether the start weights, without any option tried, translate the select set better than all."""
        return self.record.all_worse

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {**self.record.to_dict(), "at_start": list(self.at_start)}


def try_search(
    tries: Sequence[Mapping[str, Any]],
    tune: Callable[..., LoopResult],
    output: PathLike,
    *,
    sign: float = 1.0,
    search: Mapping[str, Any] | None = None,
    given: Collection[str] = (),
    check: Callable[[Mapping[str, Any]], object] | None = None,
    untried: Comparison | None = None,
    progress: Callable[[str], None] | None = None,
) -> TriedSearch:
    """Tune with each combination of options; keep the one that translates the select set best.

    Weights are for the derivations that a search allows, so that each combination is tuned: weights of one
    limit mislead under another. `tune(output=..., search=..., progress=...)` is `tune_model` with all its
    other arguments, a select set among them; tried options that are not of the search are given to it, too.
    The runs are in subfolders of `output`, where each resumes by itself; `output` has the weights of the
    best, which record its options of the search, and `tries.json` all options and scores. Of equal ones, the
    first is kept. `sign` is that of the metric, -1 if lower scores are better. `given` names arguments that
    `tune` has already, and that cannot be tried, too. If methods are tried of which some select the last
    round and others the best one, all are given `select="metric"`, unless `select` is among `given`.

    `check` is called with the options of the search of every trial before the first is tuned, and raises an
    error if they cannot be used, such as `partial(check_search, model)`. If all trials translate the select
    set worse than the start weights do without any option (`untried`), a warning and the record say so.
    """
    say, folder = progress or (lambda line: None), Path(output)
    every = _arguments(tries, search or {}, given, check)
    alike = None if "select" in given else common_select(tries)
    with KIND.locked(folder, _is_claimed):
        if not _is_claimed(folder):
            TrialRecord().write(folder)
        earlier = known_trials(folder)
        compared = None if untried is None else _compared(earlier.untried, untried, say)
        if alike is not None:
            say(SELECTED_ALIKE)
            every = [{**arguments, "select": alike} for arguments in every]
        known = {trial.folder: trial.seconds for trial in earlier.trials}
        done = list[tuple[Trial, LoopResult]]()
        for number, (options, arguments) in enumerate(zip(tries, every, strict=True), 1):
            say(f"try {number} of {len(tries)}: {_shown(options)}")
            done.append(_tuned(partial(tune, progress=progress, **arguments), options, folder, known))
            record = TrialRecord.best_of([trial for trial, _ in done], compared, sign)
            record.write(folder)
        say(f"best of {len(done)} on the select set: {_shown(done[record.best][0].options)}")
        at_start = tuple(number for number, (_, found) in enumerate(done) if not found.changed)
        return TriedSearch(record, _kept(done[record.best][1], folder, record, untried), at_start)


def _arguments(
    tries: Sequence[Mapping[str, Any]],
    search: Mapping[str, Any],
    given: Collection[str],
    check: Callable[[Mapping[str, Any]], object] | None,
) -> list[dict[str, Any]]:
    """Return the arguments of `tune` for each combination; those that cannot be used are an error."""
    for name in ({*search, *given}) & {name for options in tries for name in options}:
        raise OptionError("{} takes its values from the trials: omit it", name)
    every = [parted(options) for options in tries]
    searches = [{**search, **tried.search} for tried in every]
    if check is not None:
        for each in searches:
            check(each)
    return [{"search": each, **tried.tuning} for each, tried in zip(searches, every, strict=True)]


def _tuned(
    tune: Callable[..., LoopResult], options: Mapping[str, Any], folder: Path, known: Mapping[str, float]
) -> tuple[Trial, LoopResult]:
    """Tune with a combination in its subfolder; `known` are seconds of earlier calls by subfolder."""
    place, start = f"{TRIES}/{_label(options)}", time.monotonic()
    found = tune(output=folder / place)
    if found.select_score is None:
        raise OptionError("{} chooses by a select set: give {}", "try", "select_source")
    seconds = time.monotonic() - start + (known.get(place, 0.0) if found.resumed_after else 0.0)
    scores = found.score, found.select_score
    return Trial(dict(options), place, *scores, found.iterations, round(seconds, 1)), found


def _is_claimed(folder: Path) -> bool:
    """Whether the folder has the record of trials; one of anything else is an InputError.

    Earlier versions wrote the record after the first trial: such a folder has nothing but trials until then.
    They named the folders of trials by options in the order of the call: these are refused.
    """
    if (folder / RUN).exists():
        raise InputError(
            "contains a run of `tunesmith tune model` without {}: give the command without it to continue the"
            " run, or name another folder",
            "try",
            path=folder,
        )
    for path in (folder / TRIES).glob("*"):
        if path.name != ",".join(sorted(path.name.split(","))):
            raise InputError(
                "is a try of an earlier build, whose name depends on the order of options; finish it with"
                " that build, or name another folder",
                path=path,
            )
    is_earlier = {path.name for path in folder.iterdir() if not path.name.startswith(".")} == {TRIES}
    return not is_earlier and KIND.is_in(folder)


def _compared(earlier: Untried | None, untried: Comparison, say: Callable[[str], None]) -> Untried:
    """Return the score without any option tried: that of an earlier call, if it depends on the same."""
    digest = untried.digest
    found = earlier
    if found is None or found.digest != digest:
        found = Untried(untried.score(), digest)
    say(f"start weights, nothing tried: {untried.show(found.select_score)} on the select set")
    return found


def _all_worse(record: TrialRecord, untried: Comparison) -> str:
    chosen = record.trials[record.best]
    assert record.untried is not None
    start, best = untried.show(record.untried.select_score), untried.show(chosen.select_score)
    return (
        f"all {len(record.trials)} tries translate the select set worse than the start weights do without"
        f" them: {start} with the start weights and nothing tried, {best} with the best try,"
        f" {_shown(chosen.options)}; do not use it before it is better on other text, and try another method,"
        " more text to tune on, or other values"
    )


def _kept(result: LoopResult, folder: Path, record: TrialRecord, untried: Comparison | None) -> LoopResult:
    """Write the weights of the best trial; their record has the options of the search that were tried."""
    options = record.trials[record.best].options
    if any(result.weights.values()):  # a start from zero without any learning is no result
        weights = published(result.folder)
        about = {**weights.about, "search": {**weights.about.get("search", {}), **parted(options).search}}
        publish(weights, folder, **about)
    worse = [] if untried is None or not record.all_worse else [_all_worse(record, untried)]
    return replace(result, folder=folder, warnings=(*result.warnings, *worse))


def _label(options: Mapping[str, Any]) -> str:
    """Return the name of the folder of a combination; the order of its options does not matter."""
    return ",".join(sorted(f"{words_of(name)}={value}" for name, value in options.items()))


def _shown(options: Mapping[str, Any]) -> str:
    return ", ".join(f"{words_of(name)} {value}" for name, value in options.items())
