"""Options to try: `tune model --try`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tunesmith.errors import OptionError

if TYPE_CHECKING:
    from tunesmith.systems.base import System
    from tunesmith.tuning import LoopResult
    from tunesmith.tuning.search_trials import TriedSearch

__all__ = ["combinations", "run_tries"]


def combinations(
    given: list[str] | None, model: Path | None, select: Path | System | None, method: str
) -> list[dict[str, Any]]:
    """Return the options to try; empty if none are given. `method` is that of the command."""
    from tunesmith.tuning.tried_options import parse_tries

    if not given:
        return []
    if model is None:
        raise OptionError(
            "{} opens the model for each try, and to score its start weights; with --decoder-command there"
            " is no model: tune once per value, each in a folder of its own, and compare the scores of the"
            " select set",
            "try",
        )
    if select is None:
        raise OptionError(
            "{} chooses by held-out sentences: give {} and {}, of neither the tuning set nor a test set",
            "try",
            "select_source",
            "select_references",
        )
    return parse_tries(given, method)


def run_tries(
    tries: Sequence[Mapping[str, Any]],
    tune: Callable[..., LoopResult],
    output: Path,
    model: Path,
    metric: str,
    select: tuple[Path, list[str]],
    *,
    search: Mapping[str, Any],
    method: str,
    given: Mapping[str, Any],
    opening: Mapping[str, Any],
    progress: Callable[[str], None] | None,
) -> TriedSearch:
    """Check all combinations, tune with each, and compare them on the files `select` of the select set.

    `given` are the arguments of `tune_model` that the command line names, besides those of the search;
    `opening` are start weights, and how text is read and decoded.
    """
    from tunesmith.decode.opening import check_search
    from tunesmith.metrics import get_metric
    from tunesmith.tuning.search_trials import try_search
    from tunesmith.tuning.tried_options import check_methods
    from tunesmith.tuning.untried_search import UntriedSearch

    measure, compared = get_metric(metric), None
    check_methods(tries, method, given, measure, search)
    if not given.get("start_zero"):  # all translations are equally good under such weights
        compared = UntriedSearch.of(model, *select, metric, search=search, **opening)
    return try_search(
        tries,
        tune,
        output,
        sign=measure.sign,
        search=search,
        given=given,
        check=lambda options: check_search(model, options, opening["start"]),
        untried=compared,
        progress=progress,
    )
