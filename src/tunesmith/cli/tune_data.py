"""What `tune nbest` and `tune forests` share: all but opening the data."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from tunesmith.cli.console import watching
from tunesmith.cli.flags import Given
from tunesmith.cli.options import method_options
from tunesmith.cli.tune_options import print_result, read_weight_options, require_given, resumable
from tunesmith.file_roles import Reads, Writes
from tunesmith.tuning.tune_options import MOST_REPLICAS, TuneOptions

__all__ = ["HeldOutReferences", "Tuning", "WeightsOutput", "tune_on"]

Tuning: TypeAlias = Annotated[dict[str, Any], Given(TuneOptions, make=read_weight_options)]
"""A parameter of this type takes the flags of all options of `tune`."""


def _with_history(output: str, values: Mapping[str, Any]) -> list[Path]:
    """Return the file of weights, with the history beside it and its checkpoint.

    Of the files of replicas and folds, which may be thousands, those that are there or given as the history.
    """
    from tunesmith.tuning.output_files import part_histories, replica_files

    if output == "-":
        return [Path(output)]
    given, replicas = values["history"], min(values["replicas"] or 1, MOST_REPLICAS)
    history = Path(given or f"{output}.history.jsonl")
    own = [Path(output), Path(f"{history}.checkpoint.npz"), *([] if given else [history])]
    weights = [path for path in replica_files(output, replicas) if os.path.lexists(path) or path == history]
    return [*own, *weights, *part_histories(history, replicas, values["folds"])]


WeightsOutput = Annotated[
    Path | None,
    typer.Option("-o", "--output", help="Where to write the weights (required)."),
    Writes(_with_history, weights=True),
]

HeldOutReferences = Annotated[
    list[Path] | None, typer.Option(help="Reference of the held-out sentences; may be repeated."), Reads()
]


def tune_on(
    kind: str,
    read: Callable[[], Any],
    read_held_out: Callable[[], Any],
    command_line: typer.Context,
    options: dict[str, Any],
    *,
    required: Mapping[str, object],
    method: str,
    metric: str,
    output_file: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Tune on what `read` returns, `lists` or `forests`; `required` are values by their flags.

    `read_held_out` returns None if there is nothing to read.
    """
    from tunesmith.files import check_output
    from tunesmith.metrics import get_metric
    from tunesmith.tuning import tune
    from tunesmith.tuning.method import check_learns_from, configured
    from tunesmith.tuning.output_files import check_replica_files

    learner = configured(method, method_options(method, command_line))
    check_learns_from(learner, kind)
    # After the method's options, so that a misspelt one is reported first.
    require_given(**required, **{"-o FILE": output_file})
    assert output_file is not None
    check_output(output_file)
    check_replica_files(output_file, options.get("replicas", 1))
    data, held_out = read(), read_held_out()
    unit = get_metric(metric).unit
    files = {"history": output_file.with_name(output_file.name + ".history.jsonl"), "output": output_file}
    with resumable(), watching(method, quiet, unit) as watch:
        result = tune(data, learner, metric, **(files | options), held_out=held_out, watch=watch)
    print_result(result, unit, output_file, data, as_json=as_json, quiet=quiet)
