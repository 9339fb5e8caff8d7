"""`tunesmith tune forests`: a file of forests in, weights out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.console import watching
from tunesmith.cli.groups import group
from tunesmith.cli.options import Json, Metric, Quiet, References, Seed, Threads, method_options
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

    tunesmith tune forests --forests dev.forests --references dev.en --method forest-mert -o weights.json

Forests are what `tunesmith decode --forest-output` writes. The method's own options follow as flags;
`tunesmith tune methods` lists the methods that learn from forests. A killed run goes on where it stopped when
the same command is given again."""


def register(root: typer.Typer) -> None:
    """Add the subcommand."""
    help_text = "Tune weights on a file of forests.\n\n" + EXAMPLE
    group(root, "tune").command("forests", help=help_text, context_settings=METHOD_FLAGS)(forests)


def forests(
    context: typer.Context,
    forests_file: Annotated[Path | None, typer.Option("--forests", help="The forests (required).")] = None,
    output_file: Annotated[
        Path | None, typer.Option("-o", "--output", help="Where to write the weights (required).")
    ] = None,
    references: References = None,
    method: Annotated[str, typer.Option(help="The learner; see `tunesmith tune methods`.")] = "forest-mert",
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
    threads: Threads = None,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Tune weights on a file of forests."""
    from tunesmith.files import check_output
    from tunesmith.forest.pool import ForestPool
    from tunesmith.metrics import get_metric
    from tunesmith.tuning import tune_forests
    from tunesmith.tuning.methods import configured, of_forests
    from tunesmith.weights import Weights

    by = chosen_by(select)
    recipe = of_forests(configured(method, method_options(method, context)))
    require_given(**{"--forests FILE": forests_file, "--references FILE": references, "-o FILE": output_file})
    assert forests_file is not None and references is not None and output_file is not None
    check_output(output_file)
    pool = ForestPool.open(forests_file, references)
    unit = get_metric(metric).unit
    with resumable(), watching(method, quiet, unit) as watch:
        result = tune_forests(
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
        what="forests",
        size=f"{pool.edge_count} edges, {len(pool.feature_names)} features",
        before="start weights",
        as_json=json_,
        quiet=quiet,
    )
