"""`tunesmith tune`: candidate lists in, weights out."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tunesmith.cli.console import errors, output, print_json, show_interval, warn, watching
from tunesmith.cli.options import (
    FeatureFiles,
    Format,
    Json,
    ListSize,
    Metric,
    Missing,
    Quiet,
    References,
    ScoreColumns,
    Seed,
    Threads,
    method_options,
    reader_options,
)
from tunesmith.errors import OptionError
from tunesmith.metrics.base import show_score

if TYPE_CHECKING:
    from tunesmith.tune import TuneResult

__all__ = ["register"]

EXAMPLE = """Example:

    tunesmith tune nbest --candidates dev.nbest.gz --references dev.en --method mert -o weights.json

The method's own options follow as flags, such as `--k 5` for pl; `tunesmith tune methods` lists them.
A killed run goes on where it stopped when the same command is given again."""


def register(root: typer.Typer) -> None:
    """Add the subcommands."""
    app = typer.Typer(help="Tune weights.", no_args_is_help=True, rich_markup_mode="markdown")
    app.command(
        "nbest",
        help="Tune weights on candidate lists.\n\n" + EXAMPLE,
        context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
    )(nbest)
    app.command("methods", help="List the methods and their options.")(methods)
    root.add_typer(app, name="tune")


def nbest(
    context: typer.Context,
    candidates: Annotated[
        list[Path] | None, typer.Option(help="Candidate lists (required); several files are merged.")
    ] = None,
    output_file: Annotated[
        Path | None, typer.Option("-o", "--output", help="Where to write the weights (required).")
    ] = None,
    references: References = None,
    method: Annotated[str, typer.Option(help="The learner; see `tunesmith tune methods`.")] = "mert",
    metric: Metric = "bleu",
    seed: Seed = 1,
    start: Annotated[Path | None, typer.Option(help="Start weights.")] = None,
    freeze: Annotated[
        list[str] | None, typer.Option(help="Feature (or pattern) to keep at its start.")
    ] = None,
    bound: Annotated[
        list[str] | None, typer.Option(help="Range of a feature (or pattern): NAME=LOW:HIGH.")
    ] = None,
    l1: Annotated[float, typer.Option(help="Strength of the L1 penalty.")] = 0.0,
    l2: Annotated[
        float | None, typer.Option(help="Strength of the L2 penalty; methods have defaults.")
    ] = None,
    replicas: Annotated[int, typer.Option(help="Repeat from this many seeds; report mean and spread.")] = 1,
    select: Annotated[
        str, typer.Option(help="Best by the method's `objective` or the `metric`.")
    ] = "objective",
    history: Annotated[
        Path | None, typer.Option(help="JSONL, a line an iteration [OUTPUT.history.jsonl].")
    ] = None,
    format_: Format = None,
    feature: FeatureFiles = None,
    list_size: ListSize = None,
    score_column: ScoreColumns = None,
    allow_missing: Missing = False,
    threads: Threads = None,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Tune weights on candidate lists."""
    from tunesmith.candidates import Pool
    from tunesmith.files import check_output
    from tunesmith.metrics import get_metric
    from tunesmith.tune import tune
    from tunesmith.weights import Weights

    if select not in ("objective", "metric"):
        raise OptionError(f"--select must be objective or metric, not {select!r}")
    options = method_options(method, context)
    if not candidates or output_file is None:  # after the options, so that a misspelt one is told first
        raise OptionError("expected --candidates FILE and -o FILE")
    check_output(output_file)
    pool = Pool.read(
        [str(path) for path in candidates],
        references=[str(path) for path in references or []],
        format=format_,
        allow_missing=allow_missing,
        **reader_options(feature, list_size, score_column),
    )
    unit = get_metric(metric).unit
    with resumable(), watching(method, quiet, unit) as watch:
        result = tune(
            pool,
            method,
            metric,
            seed=seed,
            start=None if start is None else Weights.read(start),
            bounds=dict(_bound(text) for text in bound or []),
            frozen=freeze or [],
            l1=l1,
            l2=l2,
            replicas=replicas,
            select="metric" if select == "metric" else "objective",
            history=history or output_file.with_name(output_file.name + ".history.jsonl"),
            output=output_file,
            threads=threads,
            watch=watch,
            **options,
        )
    if result.resumed_after and not quiet:
        errors.print(f"resumed after iteration {result.resumed_after} of an earlier run")
    for warning in result.warnings:
        warn(warning)
    if json_:
        print_json(result.to_dict() | {"output": str(output_file), "lists": len(pool)})
    else:
        output.print(f"{len(pool)} lists, {pool.n_candidates} candidates, {pool.features.width} features")
        _print_summary(result, unit, str(output_file))


def methods(
    name: Annotated[str | None, typer.Argument(help="Explain this method.")] = None,
) -> None:
    """List the methods and their options, or explain one."""
    from rich.table import Table

    from tunesmith.tune import RECIPES

    if name is not None:
        recipe = RECIPES[name]
        output.print(inspect.cleandoc(recipe.__doc__ or recipe.summary), markup=False)
        table = Table("option", "type", "default")
        for option in dataclasses.fields(recipe):
            flag = f"--{option.name.replace('_', '-')}"
            table.add_row(flag, str(option.type), str(option.default))
        output.print(table)
        output.print(f"--l2 is {recipe.l2} unless given")
        return
    table = Table("method", "what it does", "options and defaults")
    for method, recipe in RECIPES.items():
        fields = dataclasses.fields(recipe)
        options = ", ".join(f"{option.name}={option.default}" for option in fields)
        table.add_row(method, recipe.summary, options)
    output.print(table)


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


def _print_summary(result: TuneResult, unit: float, path: str) -> None:
    from rich.table import Table

    table = Table(title=f"{result.method}: {result.label} on the tuning lists")
    for column in ("", "score", "95% interval"):
        table.add_column(column, justify="right")
    table.add_row("first candidates", show_score(result.baseline, unit), "")
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
    """Say how to go on when a run is interrupted."""
    try:
        yield
    except KeyboardInterrupt:
        errors.print("interrupted; the same command goes on where this one stopped")
        raise typer.Exit(130) from None
