"""The rounds of a tuning loop on the screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from tunesmith.cli.console import errors, output, reporting
from tunesmith.cli.counted import counted
from tunesmith.metrics.base import show_score
from tunesmith.metrics.components import show_components

if TYPE_CHECKING:
    from tunesmith.tuning import LoopResult

__all__ = ["Shown", "print_rounds", "showing_rounds"]


class Shown(NamedTuple):
    """Callbacks for the line of a finished round, the phase that begins, and the steps of the method."""

    progress: Callable[[str], None] | None = None
    phase: Callable[[str], None] | None = None
    watch: Callable[[dict[str, Any]], None] | None = None


@contextmanager
def showing_rounds(method: str, quiet: bool) -> Iterator[Shown]:
    """Print one line per round; on a terminal, also a live line with the steps of the method."""
    if quiet:
        yield Shown()
    elif not errors.is_terminal:
        yield Shown(_print_line)
    else:
        with reporting() as live:

            def step(record: dict[str, Any]) -> None:
                live(f"{method}: step {record['iteration']}, loss {record['loss']:.6g}")

            yield Shown(_print_line, live, step)


def _print_line(line: str) -> None:
    from tunesmith.cli.flags import spelled

    errors.print(spelled(line), markup=False, soft_wrap=True)


def _better(result: LoopResult, number: int, unit: float) -> str:
    """Return what to say of a round whose weights score better than the selected ones."""
    record = result.history[number]
    where, key = ("select", "dev_score") if "dev_score" in record else ("tuning", "score")
    found = f"{show_score(record[key], unit)} on the {where} set"
    when = f"after iteration {number} it was {found}" if number else f"with the start weights it was {found}"
    return f"{when}; --select metric chooses those weights"


def print_rounds(result: LoopResult, unit: float) -> None:
    """Print a table of scores with intervals, why the loop stopped, and what is written."""
    from rich.table import Table

    with_dev = any("dev_score" in record for record in result.history)
    table = Table(title=f"{result.method}: {result.label} of decoded text")
    for column in ("weights", "tuning set", "95% interval", *(["select set"] if with_dev else ())):
        table.add_column(column, justify="right")
    table.add_column("components (tuning set)")
    last = len(result.history) - 1
    rows = {0: "start", last: "last"}
    index = min(result.chosen, last)  # a last round without improvement kept the weights
    rows[index] = "chosen" if index else "start, chosen"
    for number, title in sorted(rows.items()):
        record = result.history[number]
        low, high = (show_score(border, unit) for border in record["interval"])
        dev = [show_score(record["dev_score"], unit)] if with_dev else []
        after = f", after iteration {number}" if number else ""
        components = show_components(record.get("components", {}))  # unknown to runs of earlier versions
        table.add_row(title + after, show_score(record["score"], unit), f"{low} to {high}", *dev, components)
    output.print(table)
    output.print(f"{counted(result.iterations, 'iteration')}; stopped: {result.stopped}", markup=False)
    if result.better is not None:
        output.print(_better(result, result.better, unit), markup=False, soft_wrap=True)
    if result.why_start is not None:
        output.print(result.why_start, markup=False)
    what = "" if result.changed else " (the start weights)"
    output.print(f"weights: {result.folder / 'weights.json'}{what}", markup=False)
