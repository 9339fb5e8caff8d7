"""What subcommands share: consoles, progress of a tuning run, JSON output."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape

if TYPE_CHECKING:
    from tunesmith.metrics import Interval

__all__ = [
    "errors",
    "is_typed",
    "note",
    "output",
    "print_json",
    "reporting",
    "show_interval",
    "warn",
    "watching",
]

WIDE = 160
"""Width of tables where there is no terminal."""

output = Console(highlight=False, emoji=False, width=None if sys.stdout.isatty() else WIDE)
# Without emoji=False `train.align:100:` is printed with an emoji.
errors = Console(stderr=True, highlight=False, emoji=False, width=None if sys.stderr.isatty() else WIDE)


def show_interval(interval: Interval, unit: float = 100.0) -> str:
    """Return an interval as text, `20.1 to 22.3`."""
    from tunesmith.metrics.base import show_score

    return f"{show_score(interval.low, unit)} to {show_score(interval.high, unit)}"


def warn(message: str) -> None:
    """Print a warning on standard error, with options as flags."""
    from tunesmith.cli.flags import spelled

    errors.print(f"[yellow]warning:[/] {escape(spelled(message))}", soft_wrap=True)


def note(message: str) -> None:
    """Print what was chosen for the user on standard error, with options as flags."""
    from tunesmith.cli.flags import spelled

    errors.print(f"note: {spelled(message)}", markup=False, soft_wrap=True)


def is_typed(path: Path) -> bool:
    """Return whether input is typed on a terminal, where a live progress line would overwrite it."""
    return str(path) == "-" and sys.stdin is not None and sys.stdin.isatty()


def print_json(record: Any) -> None:
    """Print a record as JSON on standard output, for machines."""
    sys.stdout.write(json.dumps(record, indent=1, ensure_ascii=False) + "\n")


@contextmanager
def watching(
    title: str, quiet: bool = False, unit: float = 100.0
) -> Iterator[Callable[[dict[str, Any]], None]]:
    """Show the records of a tuning run: a live line on a terminal, plain lines otherwise."""
    if quiet:
        yield lambda record: None
    elif errors.is_terminal:
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[state]}"),
            TimeElapsedColumn(),
        )
        with Progress(*columns, console=errors, transient=True) as progress:
            task = progress.add_task(title, total=None, state="")
            yield lambda record: progress.update(task, state=_describe(record, unit))
    else:
        yield lambda record: _print_sparsely(title, record, unit)


@contextmanager
def reporting(quiet: bool = False, *, live: bool = True) -> Iterator[Callable[[str], None]]:
    """Show progress lines: on a terminal the newest with a clock, otherwise all of them."""
    if quiet:
        yield lambda line: None
    elif live and errors.is_terminal:
        from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
        with Progress(*columns, console=errors, transient=True) as progress:
            task = progress.add_task("", total=None)
            yield lambda line: progress.update(task, description=line)
    else:
        yield lambda line: errors.print(line, markup=False, soft_wrap=True)


def _print_sparsely(title: str, record: dict[str, Any], unit: float) -> None:
    # 1 to 10, then 20, 30, ..., then 200, 300, ...: enough to follow, not enough to fill a log.
    number = int(record["iteration"])
    if number % 10 ** (len(str(number)) - 1) == 0:
        errors.print(f"{title} {_describe(record, unit)}", markup=False)


def _describe(record: dict[str, Any], unit: float) -> str:
    from tunesmith.metrics.base import show_score

    score = f", score {show_score(record['score'], unit)}" if "score" in record else ""
    fold = f"fold {record['fold']}, " if "fold" in record else ""
    return f"{fold}iteration {record['iteration']}: loss {record['loss']:.6g}{score}"
