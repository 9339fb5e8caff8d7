"""`tunesmith weights convert`: Write weights in another form: mapped file, JSON or lines.

Examples:

    tunesmith weights convert TUNED/weights weights.json

    tunesmith weights convert weights.json weights.txt.gz

    tunesmith weights convert sparse.txt weights --format container

    tunesmith weights convert moses-sparse.txt weights.json --model MODEL_DIR

The form is that of the suffix: `.json`, `.txt` for lines `name value`, anything else for the mapped file,
which keeps everything: weights, learning rates, averages and how to decode. JSON keeps the weights and how to
decode, lines only the weights; what is lost is reported.

With `--model`, names of Moses become those of the model's
templates, and names that no feature of the model can have are reported; their weights are kept.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.console import errors, warn
from tunesmith.cli.counted import counted
from tunesmith.cli.options import Quiet
from tunesmith.file_roles import Reads, Writes


def run(
    weights: Annotated[Path, typer.Argument(help="Weights in any form; - is standard input."), Reads()],
    output_file: Annotated[
        Path, typer.Argument(help="Where to write; - is standard output."), Writes(weights=True)
    ],
    *,
    model: Annotated[
        Path | None,
        typer.Option(help="Model whose names the weights get; names that its features lack are reported."),
        Reads(with_weights=False),
    ] = None,
    format_: Annotated[
        str | None, typer.Option("--format", help="container, json or lines [default: by the suffix].")
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Convert a file of weights."""
    from tunesmith.weights.store import WeightStore
    from tunesmith.weights.writing import form_of, lost, write_store

    form = form_of(output_file, format_)
    store = WeightStore.open(weights)
    if model is not None:
        from tunesmith.decode.weights_for_model import weights_for_model

        store = weights_for_model(store, model)
    write_store(store, output_file, form)
    missing = lost(store, form)
    if missing:
        warn(f"{output_file} does not have {' and '.join(missing)}: only the mapped form keeps everything")
    if not quiet:
        errors.print(f"wrote {counted(len(store), 'feature')} as {form}: {output_file}", markup=False)
