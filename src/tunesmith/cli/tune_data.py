"""What `tune nbest` and `tune forests` share: all but the flags that say where the data are."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from tunesmith.cli.console import watching
from tunesmith.cli.options import Json, Metric, Quiet, References, Seed, Threads, method_options
from tunesmith.cli.tune_options import (
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

__all__ = ["tune_command"]


def tune_command(
    read: Callable[..., Any], *, kind: str, method: str, required: Mapping[str, str]
) -> Callable[..., None]:
    """Return a command with the flags of `read`, which opens the data, and those of tuning.

    `kind` is what the data consist of, `method` the default; `required` are parameters and their flags.
    """
    own = inspect.signature(read, eval_str=True).parameters
    shared = inspect.signature(_tune, eval_str=True).parameters

    def command(context: typer.Context, **given: Any) -> None:
        flags = {flag: given.get(name) for name, flag in required.items()}
        open_data = partial(read, **{name: given.pop(name) for name in own if name not in shared})
        _tune(context, open_data, kind, flags, **given)

    parameters = [
        inspect.Parameter("context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context),
        *(own[name].replace(kind=inspect.Parameter.KEYWORD_ONLY) for name in own if name not in shared),
        *(each for each in shared.values() if each.kind is inspect.Parameter.KEYWORD_ONLY),
    ]
    parameters = [each.replace(default=method) if each.name == "method" else each for each in parameters]
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {each.name: each.annotation for each in parameters}
    return command


def _tune(
    context: typer.Context,
    read: Callable[..., Any],
    kind: str,
    required: Mapping[str, object],
    /,
    *,
    output_file: Annotated[
        Path | None, typer.Option("-o", "--output", help="Where to write the weights (required).")
    ] = None,
    references: References = None,
    method: Annotated[str, typer.Option(help="The learner; see `tunesmith tune methods`.")],
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
    from tunesmith.files import check_output
    from tunesmith.metrics import get_metric
    from tunesmith.tuning import tune
    from tunesmith.tuning.method import check_learns_from, configured
    from tunesmith.weights import Weights

    by = chosen_by(select)
    learner = configured(method, method_options(method, context))
    check_learns_from(learner, kind)
    # After the method's options, so that a misspelt one is reported first.
    require_given(**required)
    assert output_file is not None
    check_output(output_file)
    data = read(references=[str(path) for path in references or []])
    unit = get_metric(metric).unit
    with resumable(), watching(method, quiet, unit) as watch:
        result = tune(
            data,
            learner,
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
    print_result(result, unit, output_file, data, as_json=json_, quiet=quiet)
