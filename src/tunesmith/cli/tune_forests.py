"""`tunesmith tune forests`: Tune weights on a file of forests.

Example:

    tunesmith tune forests --forests dev.forests --references dev.en --method forest-mert -o weights.json

Forests are what `tunesmith decode --forest-output` writes. The method's own options follow as flags;
`tunesmith tune methods` lists the methods that learn from forests. A killed run resumes when the same
command is given again.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from tunesmith.cli.options import Json, MethodName, Metric, Quiet, References
from tunesmith.cli.tune_data import HeldOutReferences, Tuning, WeightsOutput, tune_on
from tunesmith.cli.tune_options import METHOD_FLAGS
from tunesmith.errors import OptionError
from tunesmith.file_roles import Reads

CONTEXT_SETTINGS = METHOD_FLAGS


def run(
    command_line: typer.Context,
    *,
    forests_file: Annotated[
        Path | None, typer.Option("--forests", help="File of forests (required)."), Reads()
    ] = None,
    output_file: WeightsOutput = None,
    references: References = None,
    held_out: Annotated[
        Path | None,
        typer.Option(help="File of forests of other sentences, to score the tuned weights on."),
        Reads(),
    ] = None,
    held_out_references: HeldOutReferences = None,
    method: MethodName = "forest-mert",
    metric: Metric = "bleu",
    options: Tuning,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Tune on forests."""

    def read() -> Any:
        from tunesmith.forest.pool import ForestPool

        assert forests_file is not None
        return ForestPool.open(forests_file, [str(path) for path in references or ()])

    def read_held_out() -> Any:
        if held_out is None and held_out_references:
            raise OptionError("{} needs {}", "held_out_references", "held_out")
        if held_out is None:
            return None
        if not held_out_references:
            raise OptionError("{} needs {}", "held_out", "held_out_references")
        from tunesmith.forest.pool import ForestPool

        return ForestPool.open(held_out, [str(path) for path in held_out_references])

    tune_on(
        "forests",
        read,
        read_held_out,
        command_line,
        options,
        required={"--forests FILE": forests_file, "--references FILE": references},
        method=method,
        metric=metric,
        output_file=output_file,
        as_json=json_,
        quiet=quiet,
    )
