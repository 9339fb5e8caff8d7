"""`tunesmith tune nbest`: candidate lists in, weights out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.console import watching
from tunesmith.cli.groups import group
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
from tunesmith.cli.tune_options import (
    METHOD_FLAGS,
    Bounds,
    Freeze,
    History,
    L1Strength,
    L2Strength,
    Replicas,
    Select,
    StartFile,
    chosen_by,
    given_bounds,
    print_result,
    require_given,
    resumable,
)

__all__ = ["register"]

EXAMPLE = """Example:

    tunesmith tune nbest --candidates dev.nbest.gz --references dev.en --method mert -o weights.json

The method's own options follow as flags, such as `--k 5` for pl; `tunesmith tune methods` lists them.
A killed run goes on where it stopped when the same command is given again."""


def register(root: typer.Typer) -> None:
    """Add the subcommand."""
    help_text = "Tune weights on candidate lists.\n\n" + EXAMPLE
    group(root, "tune").command("nbest", help=help_text, context_settings=METHOD_FLAGS)(nbest)


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
    start: StartFile = None,
    freeze: Freeze = None,
    bound: Bounds = None,
    l1: L1Strength = 0.0,
    l2: L2Strength = None,
    replicas: Replicas = 1,
    select: Select = "objective",
    history: History = None,
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
    from tunesmith.tuning import tune
    from tunesmith.tuning.methods import configured, of_lists
    from tunesmith.weights import Weights

    by = chosen_by(select)
    recipe = of_lists(configured(method, method_options(method, context)))
    # After the options, so that a misspelt one is told first.
    require_given(**{"--candidates FILE": candidates, "-o FILE": output_file})
    assert candidates is not None and output_file is not None
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
            recipe,
            metric,
            seed=seed,
            start=None if start is None else Weights.read(start),
            bounds=given_bounds(bound),
            frozen=freeze or [],
            l1=l1,
            l2=l2,
            replicas=replicas,
            select=by,
            history=history or output_file.with_name(output_file.name + ".history.jsonl"),
            output=output_file,
            threads=threads,
            watch=watch,
        )
    print_result(
        result,
        unit,
        output_file,
        count=len(pool),
        what="lists",
        size=f"{pool.n_candidates} candidates, {pool.features.width} features",
        before="first candidates",
        as_json=json_,
        quiet=quiet,
    )
