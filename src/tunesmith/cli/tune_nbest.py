"""`tunesmith tune nbest`: Tune weights on candidate lists.

Examples:

    tunesmith tune nbest --candidates dev.nbest.gz --references dev.en --method mert -o weights.json

    tunesmith tune nbest --candidates dev.nbest.gz --references dev.en --method mira --folds 5 -o weights.json

The method's own options follow as flags, such as `--k 5` for pl; `tunesmith tune methods` lists them.
A killed run resumes when the same command is given again.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from tunesmith.cli.options import (
    ExtraKeys,
    FeatureFiles,
    Format,
    Json,
    ListSize,
    MethodName,
    Metric,
    Missing,
    Quiet,
    References,
    ScoreColumns,
    reader_options,
)
from tunesmith.cli.tune_data import HeldOutReferences, Tuning, WeightsOutput, tune_on
from tunesmith.cli.tune_options import METHOD_FLAGS
from tunesmith.errors import OptionError

CONTEXT_SETTINGS = METHOD_FLAGS


def run(
    command_line: typer.Context,
    *,
    candidates: Annotated[
        list[Path] | None, typer.Option(help="Candidate lists (required); several files are merged.")
    ] = None,
    format_: Format = None,
    feature: FeatureFiles = None,
    list_size: ListSize = None,
    score_column: ScoreColumns = None,
    extra_keys: ExtraKeys = None,
    allow_missing: Missing = False,
    output_file: WeightsOutput = None,
    references: References = None,
    held_out: Annotated[
        list[Path] | None,
        typer.Option(help="Candidate lists of other sentences, to score the tuned weights on."),
    ] = None,
    held_out_references: HeldOutReferences = None,
    method: MethodName = "mert",
    metric: Metric = "bleu",
    options: Tuning,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Tune on candidate lists."""

    def read() -> Any:
        from tunesmith.candidates import Pool

        return Pool.read(
            [str(path) for path in candidates or ()],
            references=[str(path) for path in references or ()],
            format=format_,
            allow_missing=allow_missing,
            **reader_options(feature, list_size, score_column, extra_keys),
        )

    def read_held_out() -> Any:
        if not held_out:
            if held_out_references:
                raise OptionError("{} needs {}", "held_out_references", "held_out")
            return None
        if feature or list_size is not None or format_ == "flat":
            raise OptionError(
                "{} cannot be of format flat, whose score files are of the tuning lists;"
                " convert both (`tunesmith convert`) and tune on the results",
                "held_out",
            )
        from tunesmith.candidates import Pool

        return Pool.read(
            [str(path) for path in held_out],
            references=[str(path) for path in held_out_references or ()],
            format=format_,
            allow_missing=allow_missing,
            **reader_options(None, None, score_column, extra_keys),
        )

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
