"""What `--try` takes values of: options of the search and of the loop, the method and its own options."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from tunesmith.decode.settings import ChartOptions, SearchOptions
from tunesmith.errors import OptionError, suggest
from tunesmith.metrics.base import Metric
from tunesmith.optimizers.space import check_penalties
from tunesmith.options import option_types, options_of, parse_option
from tunesmith.tuning.loop.options import LoopOptions
from tunesmith.tuning.loop.stopping import StopRules
from tunesmith.tuning.method import METHODS, ForestMethod, Method, configured
from tunesmith.tuning.model_tuning import check_context, check_standardize
from tunesmith.tuning.tune_options import Selected

__all__ = ["Tried", "check_methods", "common_select", "parse_tries", "parted", "words_of"]

METHOD = "method"
PREFIX = f"{METHOD}_"
"""The options of a method are tried under the names that `tune_model` takes: `method_c`."""
SEARCHES = (SearchOptions, ChartOptions)
OF_LOOP: Mapping[str, Any] = {
    name: option_types(LoopOptions)[name]
    for name in (
        "iterations",
        "nbest",
        "l1",
        "l2",
        "interpolate",
        "tolerance",
        "least_improvement",
        "forest_density",
        "standardize",
    )
}
"""Options of the loop that can be tried. Not the seed, whose best value says nothing about other text, nor
`select` and `patience`, which are about the same select set."""

Place: TypeAlias = Literal["search", "tuning"]
"""Where `tune_model` takes an option: in `search`, or as an argument."""


class Tried(NamedTuple):
    """A combination of options: those of the search, and other arguments of `tune_model`."""

    search: dict[str, Any]
    tuning: dict[str, Any]


@dataclass(frozen=True)
class _Known:
    """The type of an option, and where it is taken."""

    place: Place
    kind: Any


def parse_tries(texts: Sequence[str], method: str = "mira") -> list[dict[str, Any]]:
    """Return all combinations of the values of options, such as `distortion-limit=6,12`, the first fastest.

    `method` is the one in use unless methods are tried; its own options can be tried, too. An unknown option,
    or a value that it cannot have, is an OptionError.
    """
    given = [_split(text) for text in texts]
    methods = [word for name, words in given if name == METHOD for word in words] or [method]
    known, values = _known_options(methods), dict[str, tuple[Any, ...]]()
    for name, words in given:
        option = name if name in known or PREFIX + name not in known else PREFIX + name
        if option not in known:
            shorter = (each.removeprefix(PREFIX) for each in known)
            hint = suggest(words_of(name), sorted({words_of(each) for each in shorter}))
            raise OptionError("{}: no such option: {word}{hint}", "try", word=words_of(name), hint=hint)
        read = (parse_option(words_of(name), known[option].kind, word) for word in words)
        values[option] = tuple(dict.fromkeys((*values.get(option, ()), *read)))
    combined = [dict(zip(values, each, strict=True)) for each in itertools.product(*values.values())]
    for options in combined:
        _check(parted(options))
    if len(combined) < 2:
        raise OptionError(
            "{} needs at least two values to choose from, such as 'distortion-limit=6,12'", "try"
        )
    return combined


def parted(options: Mapping[str, Any]) -> Tried:
    """Return the options of the search, and all others."""
    of_search = {name for owner in SEARCHES for name in option_types(owner)}
    return Tried(
        {name: value for name, value in options.items() if name in of_search},
        {name: value for name, value in options.items() if name not in of_search},
    )


def common_select(tries: Sequence[Mapping[str, Any]]) -> Selected | None:
    """Return "metric" if methods are tried that select their rounds by different rules, else None.

    The score of the best round, by the select set, is no smaller than that of the last one: only tries that
    select alike can be compared on that set.
    """
    rules = {METHODS[options[METHOD]].selects for options in tries if METHOD in options}
    return "metric" if len(rules) > 1 else None


def check_methods(
    tries: Sequence[Mapping[str, Any]],
    method: str,
    given: Mapping[str, Any],
    metric: Metric,
    search: Mapping[str, Any] | None = None,
) -> None:
    """Raise an OptionError if a combination has options that its method does not have, or does not use.

    `given` are arguments of `tune_model` that are not tried, and `search` such options of the search.
    """
    for options in tries:
        tried = parted(options)
        tuning = {**given, **tried.tuning}
        chosen = _configured(tuning.get(METHOD, method), tuning)
        chosen.check_metric(metric)
        check_context(chosen, {**(search or {}), **tried.search})
        standardized = chosen.standardized(tuning.get("standardize"))
        check_standardize(chosen, standardized, tuning.get("l1", 0.0), tuning.get("l2"))
        _check_data(chosen, tried.tuning)


def _check_data(method: Method, tried: Mapping[str, Any]) -> None:
    """Raise an OptionError if what is tried is of the data of other methods: all values would do the same."""
    if tried.get("nbest") is not None and isinstance(method, ForestMethod):
        raise OptionError(
            "{} is for methods of candidate lists; {name} learns from forests", "nbest", name=method.name
        )
    if tried.get("forest_density") is not None and not (isinstance(method, ForestMethod) and method.merges):
        raise OptionError(
            "{} is for methods that merge the forests of all rounds; {name} does not",
            "forest_density",
            name=method.name,
        )


def words_of(name: str) -> str:
    """Return the name of an option as `--try` writes it, on the command line and in Python."""
    return name.replace("_", "-")


def _configured(method: str, tuning: Mapping[str, Any]) -> Method:
    own = {name.removeprefix(PREFIX): value for name, value in tuning.items() if name.startswith(PREFIX)}
    return configured(method, own)


def _split(text: str) -> tuple[str, list[str]]:
    """Return the name and the values of `distortion-limit=6,12`."""
    flag, equals, listed = text.partition("=")
    words = listed.replace(",", " ").split()
    if not equals or not words:
        raise OptionError(
            "{} {text!r}: expected an option and values, such as 'distortion-limit=6,12'", "try", text=text
        )
    return flag.strip().removeprefix("--").replace("-", "_"), words


def _known_options(methods: Sequence[str]) -> dict[str, _Known]:
    """Return the options that can be tried: those with one value, that results depend on."""
    known = {name: _Known("search", kind) for owner in SEARCHES for name, kind in _types_that_matter(owner)}
    known |= {name: _Known("tuning", kind) for name, kind in OF_LOOP.items()}
    known[METHOD] = _Known("tuning", str)
    for method in methods:
        own = _types_that_matter(METHODS[method])
        known |= {PREFIX + name: _Known("tuning", kind) for name, kind in own}
    return known


def _types_that_matter(owner: type) -> Iterator[tuple[str, Any]]:
    types = option_types(owner)
    for field in options_of(owner):
        if field.metadata.get("matters", True) and not isinstance(field.default, tuple):
            yield field.name, types[field.name]


def _check(tried: Tried) -> None:
    """Raise OptionError if an option has a value that it cannot have."""
    for owner in SEARCHES:
        if all(name in option_types(owner) for name in tried.search):
            owner(**tried.search)
    of_loop = {name: value for name, value in tried.tuning.items() if name in OF_LOOP}
    how = LoopOptions(**of_loop)
    StopRules(how.iterations, how.tolerance, None, how.least_improvement or 0.0)
    check_penalties(how.l1, how.l2 or 0.0)
