"""Options of the search to try: `tune model --try`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tunesmith.errors import OptionError

if TYPE_CHECKING:
    from tunesmith.tuning import LoopResult
    from tunesmith.tuning.method import Method
    from tunesmith.tuning.search_trials import TriedSearch
    from tunesmith.tuning.translators.base import Translator

__all__ = ["combinations", "run_tries"]


def combinations(
    given: list[str] | None, model: Path | None, select: Path | Translator | None
) -> list[dict[str, Any]]:
    """Return the options of the search to try; empty if none are given."""
    from tunesmith.tuning.search_trials import parse_tries

    if not given:
        return []
    if model is None:
        raise OptionError("{} is for models; a --decoder-command has options of its own", "try")
    if select is None:
        raise OptionError(
            "{} chooses by held-out sentences: give {} and {}, of neither the tuning set nor a test set",
            "try",
            "select_source",
            "select_references",
        )
    return parse_tries(given)


def run_tries(
    tries: Sequence[Mapping[str, Any]],
    tune: Callable[..., LoopResult],
    output: Path,
    model: Path,
    metric: str,
    select: tuple[Path, list[str]],
    *,
    search: Mapping[str, Any],
    from_zero: bool,
    method: Method,
    opening: Mapping[str, Any],
    progress: Callable[[str], None] | None,
) -> TriedSearch:
    """Check all combinations, tune with each, and compare them on the files `select` of the select set.

    `opening` are start weights, and how text is read and decoded.
    """
    from tunesmith.decode.opening import check_search
    from tunesmith.metrics import get_metric
    from tunesmith.tuning.model_tuning import check_context
    from tunesmith.tuning.search_trials import try_search
    from tunesmith.tuning.untried_search import UntriedSearch

    def check(options: Mapping[str, Any]) -> None:
        check_context(method, options)
        check_search(model, options, opening["start"])

    compared = None
    if not from_zero:  # all translations are equally good under such weights
        compared = UntriedSearch.of(model, *select, metric, search=search, **opening)
    sign = get_metric(metric).sign
    return try_search(
        tries, tune, output, sign=sign, search=search, check=check, untried=compared, progress=progress
    )
