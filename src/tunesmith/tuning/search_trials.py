"""Choosing options of the search on held-out text: tune with each, and keep what translates the text best."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from tunesmith.decode.settings import ChartOptions, SearchOptions
from tunesmith.errors import InputError, OptionError, suggest
from tunesmith.files import PathLike, open_write
from tunesmith.json_files import read_json
from tunesmith.named_files import own_file
from tunesmith.options import option_types, options_of, parse_option
from tunesmith.tuning.loop.result import LoopResult
from tunesmith.tuning.loop.rounds import RUN, locked, publish, published, refuse_other_files

__all__ = ["Trial", "TriedSearch", "parse_tries", "try_search"]

TRIES = "tries"
"""Folder of the runs, one per combination of values, in the folder of the result; its list is TRIES.json."""
_OWNERS = (SearchOptions, ChartOptions)


@dataclass(frozen=True)
class Trial:
    """One combination of options: the folder of its run, its scores (0 to 1), and how long it took."""

    options: Mapping[str, Any]
    folder: str
    score: float
    select_score: float
    iterations: int
    seconds: float


@dataclass(frozen=True)
class TriedSearch:
    """All trials, the number of the best one, and its result with the weights in the folder of all."""

    trials: tuple[Trial, ...]
    best: int
    result: LoopResult

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {"trials": [asdict(trial) for trial in self.trials], "best": self.best}


def parse_tries(texts: Sequence[str]) -> list[dict[str, Any]]:
    """Return all combinations of the values of options, such as `distortion-limit=6,12`, the first fastest.

    An unknown option, or a value that it cannot have, is an OptionError.
    """
    values: dict[str, tuple[Any, ...]] = {}
    for text in texts:
        name, given = _values_of(text)
        values[name] = tuple(dict.fromkeys((*values.get(name, ()), *given)))
    combined = [dict(zip(values, each, strict=True)) for each in itertools.product(*values.values())]
    for options in combined:
        for owner in _OWNERS:
            if all(name in option_types(owner) for name in options):
                owner(**options)
    if len(combined) < 2:
        raise OptionError(
            "{} needs at least two values to choose from, such as 'distortion-limit=6,12'", "try"
        )
    return combined


def try_search(
    tries: Sequence[Mapping[str, Any]],
    tune: Callable[..., LoopResult],
    output: PathLike,
    *,
    sign: float = 1.0,
    search: Mapping[str, Any] | None = None,
    progress: Callable[[str], None] | None = None,
) -> TriedSearch:
    """Tune with each combination of options of the search; keep the one that translates the select set best.

    Weights are for the derivations that a search allows, so that each combination is tuned: weights of one
    limit mislead under another. `tune(output=..., search=..., progress=...)` is `tune_model` with all its
    other arguments, a select set among them. The runs are in subfolders of `output`, where each resumes by
    itself; `output` has the weights of the best, which record its options, and `tries.json` with all scores.
    Of equal ones, the first is kept. `sign` is that of the metric, -1 if lower scores are better.
    """
    say = progress or (lambda line: None)
    for name in set(search or {}) & {name for options in tries for name in options}:
        raise OptionError("{} is tried: do not give it a value, too", name)
    folder = Path(output)
    with locked(folder):
        if (folder / RUN).exists():
            raise InputError("has a tuning run without trials; name another folder", path=folder)
        refuse_other_files(folder, TRIES)
        known = _seconds(folder)
        trials: list[Trial] = []
        results: list[LoopResult] = []
        for number, options in enumerate(tries, 1):
            place = f"{TRIES}/{_label(options)}"
            say(f"try {number} of {len(tries)}: {_shown(options)}")
            start = time.monotonic()
            found = tune(output=folder / place, search={**(search or {}), **options}, progress=progress)
            if found.select_score is None:
                raise OptionError("{} chooses by a select set: give {}", "try", "select_source")
            seconds = time.monotonic() - start
            if found.resumed_after:
                seconds += known.get(place, 0.0)
            scores = found.score, found.select_score
            trials.append(Trial(dict(options), place, *scores, found.iterations, round(seconds, 1)))
            results.append(found)
            best = max(range(len(trials)), key=lambda each: (sign * trials[each].select_score, -each))
            _write(folder, trials, best)
        chosen = trials[best]
        kept = _published(results[best], folder, chosen.options)
        say(f"best of {len(trials)} on the select set: {_shown(chosen.options)}")
        return TriedSearch(tuple(trials), best, kept)


def _published(result: LoopResult, folder: Path, options: Mapping[str, Any]) -> LoopResult:
    """Write the weights of the best trial; their record has the options that were tried, of any kind."""
    if any(result.weights.values()):  # a start from zero without any learning is no result
        weights = published(result.folder)
        about = {**weights.about, "search": {**weights.about.get("search", {}), **options}}
        publish(weights, folder, **about)
    return replace(result, folder=folder)


def _values_of(text: str) -> tuple[str, tuple[Any, ...]]:
    """Return the option and the values of `distortion-limit=6,12`."""
    flag, equals, listed = text.partition("=")
    word, words = flag.strip().removeprefix("--"), listed.replace(",", " ").split()
    name = word.replace("-", "_")
    types = _types()
    if not equals or not words:
        raise OptionError(
            "{} {text!r}: expected an option and values, such as 'distortion-limit=6,12'",
            "try",
            text=text,
        )
    if name not in types:
        hint = suggest(_flag(word), map(_flag, types))
        raise OptionError("{}: the search has no option {word!r}{hint}", "try", word=word, hint=hint)
    return name, tuple(parse_option(word, types[name], value) for value in words)


def _types() -> dict[str, Any]:
    """Return the types of the options that can be tried: those with one value, that results depend on."""
    fields = [(owner, field) for owner in _OWNERS for field in options_of(owner)]
    return {
        field.name: option_types(owner)[field.name]
        for owner, field in fields
        if field.metadata["matters"] and not isinstance(field.default, tuple)
    }


def _flag(name: str) -> str:
    """Return the name of an option as `--try` writes it, on the command line and in Python."""
    return name.replace("_", "-")


def _label(options: Mapping[str, Any]) -> str:
    return ",".join(f"{_flag(name)}={value}" for name, value in options.items())


def _shown(options: Mapping[str, Any]) -> str:
    return ", ".join(f"{_flag(name)} {value}" for name, value in options.items())


def _seconds(folder: Path) -> dict[str, float]:
    """Return the time of each trial of an earlier call; none if the list is missing or damaged."""
    path = folder / f"{TRIES}.json"
    try:
        trials = read_json(path, "a list of trials")["trials"] if path.is_file() else []
        return {str(each["folder"]): float(each["seconds"]) for each in trials}
    except (InputError, KeyError, TypeError, ValueError):
        return {}  # it is written anew


def _write(folder: Path, trials: Sequence[Trial], best: int) -> None:
    record = {"trials": [asdict(trial) for trial in trials], "best": best}
    with open_write(own_file(folder, f"{TRIES}.json")) as stream:
        stream.write((json.dumps(record, indent=1) + "\n").encode())
