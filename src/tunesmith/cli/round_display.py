"""The rounds of a tuning loop on the screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from tunesmith.cli.console import errors, output, reporting
from tunesmith.cli.counted import counted
from tunesmith.metrics.base import show_score

if TYPE_CHECKING:
    from tunesmith.tune import LoopResult

__all__ = ["Shown", "print_rounds", "showing_rounds"]


class Shown(NamedTuple):
    """Who is called with the line of a finished round, and with the steps of the method within a round."""

    progress: Callable[[str], None] | None
    watch: Callable[[dict[str, Any]], None] | None


@contextmanager
def showing_rounds(method: str, quiet: bool) -> Iterator[Shown]:
    """Print a line a round; on a terminal a live line below them tells what the method is doing."""
    if quiet:
        yield Shown(None, None)
    elif not errors.is_terminal:
        yield Shown(lambda line: errors.print(line, markup=False, soft_wrap=True), None)
    else:
        with reporting() as live:
            live("decoding")

            def finished(line: str) -> None:
                errors.print(line, markup=False, soft_wrap=True)
                live("decoding")

            def step(record: dict[str, Any]) -> None:
                live(f"{method}: step {record['iteration']}, loss {record['loss']:.6g}")

            yield Shown(finished, step)


def print_rounds(result: LoopResult, unit: float) -> None:
    """Print a table of the scores, that of the chosen weights with its interval, and why the loop ended."""
    from rich.table import Table

    with_dev = any("dev_score" in record for record in result.history)
    table = Table(title=f"{result.method}: {result.label} of decoded text")
    for column in ("weights", "tuning set", "95% interval", *(["dev set"] if with_dev else ())):
        table.add_column(column, justify="right")
    rows = {0: "start", len(result.history) - 1: "last"}
    rows[result.chosen] = "chosen" if result.chosen else "start, chosen"
    for number, title in sorted(rows.items()):
        record = result.history[min(number, len(result.history) - 1)]
        low, high = (show_score(border, unit) for border in record["interval"])
        dev = [show_score(record["dev_score"], unit)] if with_dev else []
        after = f" (iteration {number})" if number else ""
        table.add_row(title + after, show_score(record["score"], unit), f"{low} to {high}", *dev)
    output.print(table)
    output.print(f"{counted(result.iterations, 'iteration')}; stopped: {result.stopped}", markup=False)
    output.print(f"weights: {result.folder / 'weights.json'}", markup=False)
