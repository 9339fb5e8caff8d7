"""What the `tune` commands share: options of weights, and what is printed at the end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tunesmith.cli.console import errors, output, print_json, show_interval, warn
from tunesmith.errors import OptionError
from tunesmith.metrics.base import show_score

if TYPE_CHECKING:
    from tunesmith.tuning import TuneResult
    from tunesmith.tuning.data import TrainingData

__all__ = [
    "METHOD_FLAGS",
    "Bounds",
    "Freeze",
    "History",
    "L1Strength",
    "L2Strength",
    "LoopSelect",
    "Replicas",
    "Select",
    "StartFile",
    "chosen_by",
    "given_bounds",
    "print_result",
    "require_given",
    "resumable",
]

METHOD_FLAGS: dict[str, Any] = {"allow_extra_args": True, "ignore_unknown_options": True}
"""The settings of a command that takes the flags of methods as well."""

StartFile = Annotated[Path | None, typer.Option(help="Start weights.")]
Freeze = Annotated[list[str] | None, typer.Option(help="Feature (or pattern) that keeps its start weight.")]
Bounds = Annotated[list[str] | None, typer.Option(help="Range of a feature (or pattern): NAME=LOW:HIGH.")]
L1Strength = Annotated[float, typer.Option(help="Strength of the L1 penalty.")]
L2Strength = Annotated[float | None, typer.Option(help="Strength of the L2 penalty [the method's default].")]
Replicas = Annotated[
    int, typer.Option(help="Number of runs, from consecutive seeds; reports mean and spread.")
]
Select = Annotated[str, typer.Option(help="Best by the method's `objective` or the `metric`.")]
LoopSelect = Annotated[
    str, typer.Option(help="`objective`: the last weights; `metric`: those whose translations score best.")
]
History = Annotated[
    Path | None, typer.Option(help="JSONL file, one line per iteration [OUTPUT.history.jsonl].")
]


def chosen_by(select: str) -> Any:
    """Return what weights are chosen by, as a type checker wants it."""
    if select not in ("objective", "metric"):
        raise OptionError(f"--select must be objective or metric, not {select!r}")
    return select


def require_given(**options: object) -> None:
    """Raise OptionError that names the required options, by flag and value, that are missing."""
    missing = [flag for flag, value in options.items() if not value]
    if missing:
        raise OptionError(f"expected {' and '.join(missing)}")


def given_bounds(texts: list[str] | None) -> dict[str, tuple[float, float]]:
    """Return the ranges of repeated `--bound NAME=LOW:HIGH`."""
    return dict(map(_bound, texts or ()))


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
    from rich.table import Table

    if result.resumed_after and not quiet:
        errors.print(f"resumed after iteration {result.resumed_after} of an earlier run")
    for warning in result.warnings:
        warn(warning)
    if as_json:
        print_json(result.to_dict() | {"output": str(path), data.noun: len(data)})
        return
    output.print(f"{len(data)} {data.noun}, {data.contents}")
    table = Table(title=f"{result.method}: {result.label} on the tuning {data.noun}")
    for column in ("", "score", "95% interval"):
        table.add_column(column, justify="right")
    table.add_row(data.baseline, show_score(result.baseline, unit), "")
    table.add_row("tuned", show_score(result.score, unit), show_interval(result.interval, unit))
    output.print(table)
    if len(result.replicas) > 1:
        mean, spread = show_score(result.mean, unit), show_score(result.spread, unit)
        output.print(f"{len(result.replicas)} replicas: mean {mean}, spread {spread}")
    for name, value in result.best.notes.items():
        text = f"{value:.4g}" if isinstance(value, float) else str(value)
        output.print(f"{name.replace('_', ' ')}: {text}", markup=False)
    output.print(f"weights: {path}", markup=False)


@contextmanager
def resumable() -> Iterator[None]:
    """Say how to resume when a run is interrupted; `main` reports the interrupt."""
    try:
        yield
    except KeyboardInterrupt:
        errors.print("the same command goes on where this one stopped")
        raise typer.Exit(130) from None
