"""`tunesmith train` (models): Train a translation model from parallel text.

Examples:

    tunesmith train --source train.de --target train.en --kind phrase -o model

    tunesmith train --source train.de --target train.en --alignment train.a --folds 10 --classes 80 -o model

    tunesmith train --source raw.fr --target raw.en --source-language fr --target-language en \\
      --tokenize moses --case lower --kind hiero -o model

The same command resumes after a kill; after a change of options it redoes only the steps that depend on it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tunesmith.cli.console import output, reporting
from tunesmith.cli.flags import spelled
from tunesmith.cli.options import Quiet
from tunesmith.file_roles import Writes, own_folder_of
from tunesmith.model.options import TrainingOptions

if TYPE_CHECKING:
    from tunesmith.model.training import Trained

__all__ = ["run", "show_trained"]


def run(
    options: TrainingOptions,
    *,
    directory: Annotated[
        Path, typer.Option("-o", "--output", help="Directory for the model."), Writes(is_folder=own_folder_of)
    ],
    kind: Annotated[
        str,
        typer.Option(
            help="Kind of model: {tunesmith.model.kinds:KINDS}. phrase: phrase-based; hiero: hierarchical"
            " rules; itg: phrases that a binary grammar reorders."
        ),
    ] = "phrase",
    quiet: Quiet = False,
) -> None:
    """Train a model."""
    from tunesmith.model.training import train_model

    with reporting(quiet) as progress:
        trained = train_model(options, directory, kind=kind, progress=progress)
    if not quiet:
        show_trained(trained)


def show_trained(trained: Trained) -> None:
    """Print the steps with their files, sizes and times."""
    from rich.table import Table

    from tunesmith.model.steps import show_bytes

    table = Table(
        "step", "seconds", "files", "size", title=f"{trained.manifest.kind} model {trained.directory}"
    )
    for report in trained.steps:
        files = ", ".join(trained.manifest.steps[report.name].outputs)
        taken = "done before" if report.skipped else f"{report.seconds:.1f}"
        table.add_row(report.name, taken, files, show_bytes(report.bytes))
    seconds, size = (sum(getattr(report, name) for report in trained.steps) for name in ("seconds", "bytes"))
    table.add_row("all", f"{seconds:.1f}", "", show_bytes(size))
    output.print(table)
    if trained.pairs is not None:
        output.print(spelled(trained.pairs.report), markup=False, soft_wrap=True)
