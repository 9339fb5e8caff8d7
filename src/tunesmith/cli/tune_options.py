"""What the `tune` commands share: reading start weights and bounds, and printing the result."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from tunesmith.cli.console import errors, output, print_json, show_interval, warn
from tunesmith.cli.given_once import named_once
from tunesmith.errors import OptionError
from tunesmith.metrics.base import show_score
from tunesmith.metrics.components import show_components

if TYPE_CHECKING:
    from rich.table import Table

    from tunesmith.tuning import TuneResult
    from tunesmith.tuning.data import TrainingData

__all__ = ["METHOD_FLAGS", "print_result", "read_weight_options", "require_given", "resumable"]

METHOD_FLAGS: dict[str, Any] = {"allow_extra_args": True, "ignore_unknown_options": True}
"""Settings of a command that also takes the flags of methods."""


MOST_NAMED = 10
"""Of more replicas, only the first and last file are named."""


def read_weight_options(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a command line with start weights and bounds read."""
    from tunesmith.weights import Weights

    if "start" in options:
        options["start"] = Weights.read(options["start"])
    if "bounds" in options:
        options["bounds"] = named_once("--bound", map(_bound, options["bounds"]))
    return options


def require_given(**options: object) -> None:
    """Raise OptionError with the flags of required options that are missing."""
    missing = [flag for flag, value in options.items() if not value]
    if missing:
        raise OptionError(f"expected {' and '.join(missing)}")


def _bound(text: str) -> tuple[str, tuple[float, float]]:
    name, _, limits = text.rpartition("=")
    low, colon, high = limits.partition(":")
    try:
        if not (name and colon):
            raise ValueError
        return name, (float(low or "-inf"), float(high or "inf"))
    except ValueError:
        raise OptionError(
            f"--bound {text!r}: expected NAME=LOW:HIGH, such as 'LM0=0:' or 'WordPenalty0=-1:1'"
        ) from None


def print_result(
    result: TuneResult, unit: float, path: Path, data: TrainingData, *, as_json: bool, quiet: bool
) -> None:
    """Print the result of tuning on the data."""
    if result.resumed_after and not quiet:
        errors.print(f"resumed after iteration {result.resumed_after} of an earlier run")
    for warning in result.warnings:
        warn(warning)
    files = result.replica_files(path)
    if as_json:
        beside = {"replica_outputs": [str(file) for file in files]} if files else {}
        print_json(result.to_dict() | {"output": str(path), **beside, data.noun: len(data)})
        return
    output.print(f"{len(data)} {data.noun}, {data.contents}", markup=False, soft_wrap=True)
    table = _table(f"{result.method}: {result.label} on the tuning {data.noun}")
    before, after = map(show_components, (result.baseline_components, result.components))
    table.add_row(data.baseline, show_score(result.baseline, unit), "", before)
    if result.start_score is not None:
        at_start = show_components(result.start_components)
        table.add_row("start weights", show_score(result.start_score, unit), "", at_start)
    table.add_row("tuned", show_score(result.score, unit), show_interval(result.interval, unit), after)
    output.print(table)
    _print_held_out(result, unit, data)
    if len(result.replicas) > 1:
        mean, spread = show_score(result.mean, unit), show_score(result.spread, unit)
        output.print(f"{len(result.replicas)} replicas: mean {mean}, spread {spread}")
    for name, value in result.best.notes.items():
        text = f"{value:.4g}" if isinstance(value, float) else str(value)
        output.print(f"{name.replace('_', ' ')}: {text}", markup=False)
    output.print(f"weights: {path}", markup=False)
    if files:
        names = ", ".join(map(str, files)) if len(files) <= MOST_NAMED else f"{files[0]} to {files[-1]}"
        output.print(f"weights of the replicas: {names}", markup=False, soft_wrap=True)


def _table(title: str) -> Table:
    """Return a table of scores and what they are made of."""
    from rich.table import Table

    table = Table(title=title)
    for column in ("", "score", "95% interval"):
        table.add_column(column, justify="right")
    table.add_column("components")
    return table


def _print_held_out(result: TuneResult, unit: float, data: TrainingData) -> None:
    """Print the scores on sentences that the weights were not tuned on."""
    folds, held_out = result.cross_validation, result.held_out
    parts = []
    if folds is not None:
        parts.append((f"{folds.folds} folds: ", "tuned on the other folds", folds))
    if held_out is not None:
        parts.append((f"{held_out.sentences} held-out {data.noun}: ", "tuned", held_out))
    if not parts:
        return
    table = _table(f"{result.method}: {result.label} on sentences that were not tuned on")
    for where, tuned, found in parts:
        before = show_score(found.baseline, unit), show_interval(found.baseline_interval, unit)
        after = show_score(found.score, unit), show_interval(found.interval, unit)
        table.add_row(where + data.baseline, *before, show_components(found.baseline_components))
        table.add_row(where + tuned, *after, show_components(found.components))
    output.print(table)


@contextmanager
def resumable() -> Iterator[None]:
    """Print how to resume when a run is interrupted; `main` reports the interrupt."""
    try:
        yield
    except KeyboardInterrupt:
        errors.print("the same command resumes where this one stopped")
        raise typer.Exit(130) from None
