"""`tunesmith tune nbest`: Tune weights on candidate lists.

Examples:

    tunesmith tune nbest --candidates dev.nbest.gz --references dev.en -o weights.json

    tunesmith tune nbest --candidates dev.nbest.gz --references dev.en --method mira --folds 5 -o weights.json

The method's own options follow as flags, such as `--k 5` for pl; `tunesmith tune methods` lists them.
A killed run resumes when the same command is given again.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from tunesmith.cli.options import (
    Json,
    MethodName,
    Metric,
    Quiet,
    References,
)
from tunesmith.cli.reader_options import ReaderFlags
from tunesmith.cli.tune_data import HeldOutReferences, Tuning, WeightsOutput, tune_on
from tunesmith.cli.tune_options import METHOD_FLAGS
from tunesmith.errors import OptionError
from tunesmith.file_roles import Reads

CONTEXT_SETTINGS = METHOD_FLAGS


def run(
    command_line: typer.Context,
    *,
    candidates: Annotated[
        list[Path] | None,
        typer.Option(help="Candidate lists (required); several files are merged, list by list."),
        Reads(),
    ] = None,
    reader: ReaderFlags,
    output_file: WeightsOutput = None,
    references: References = None,
    held_out: Annotated[
        list[Path] | None,
        typer.Option(help="Candidate lists of other sentences, to score the tuned weights on."),
        Reads(),
    ] = None,
    held_out_references: HeldOutReferences = None,
    method: MethodName = "mira",
    metric: Metric = "bleu",
    options: Tuning,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Tune on candidate lists."""

    def read() -> Any:
        return reader.read(candidates or (), references)

    def read_held_out() -> Any:
        if not held_out:
            if held_out_references:
                raise OptionError("{} needs {}", "held_out_references", "held_out")
            return None
        if reader.is_flat:
            raise OptionError(
                "{} cannot be of format flat, whose score files are of the tuning lists;"
                " convert both (`tunesmith convert`) and tune on the results",
                "held_out",
            )
        return reader.read(held_out, held_out_references)

    tune_on(
        "lists",
        read,
        read_held_out,
        command_line,
        options,
        required={"--candidates FILE": candidates},
        method=method,
        metric=metric,
        output_file=output_file,
        as_json=json_,
        quiet=quiet,
    )
