"""The trials of options on the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tunesmith.cli.console import output
from tunesmith.metrics.base import show_score

if TYPE_CHECKING:
    from tunesmith.tuning.search_trials import TriedSearch

__all__ = ["print_trials"]


def print_trials(tried: TriedSearch, unit: float) -> None:
    """Print a table of the options tried, with scores and seconds; the best is marked."""
    from rich.table import Table

    table = Table(title=f"{tried.result.label} of each try")
    names = list(tried.trials[0].options)
    for name in (*names, "select set", "tuning set", "iterations", "seconds"):
        table.add_column(name.replace("_", "-"), justify="right")
    table.add_column("")
    if (untried := tried.record.untried) is not None:
        blank = ["" for _ in names]
        score = show_score(untried.select_score, unit)
        mark = "start weights, nothing tried" + (": better than all" if tried.all_worse else "")
        table.add_row(*blank, score, "", "", "", mark)
    for number, trial in enumerate(tried.trials):
        values = [str(trial.options[name]) for name in names]
        scores = [show_score(score, unit) for score in (trial.select_score, trial.score)]
        marks = ["kept"] * (number == tried.best) + ["its start weights"] * (number in tried.at_start)
        table.add_row(*values, *scores, str(trial.iterations), f"{trial.seconds:.1f}", ", ".join(marks))
    output.print(table)
