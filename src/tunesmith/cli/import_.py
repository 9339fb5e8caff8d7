"""`tunesmith import` (models): Import a Moses model, phrase-based or hierarchical.

Example:

    tunesmith import moses.ini -o model

Files named in moses.ini are searched in its folder and in the current folder. A section, a feature or an
argument that changes translations and cannot be imported is an error that names it; `--ignore NAME` imports
the model without it, and notes that in the model's manifest.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.console import reporting
from tunesmith.cli.options import Quiet
from tunesmith.cli.train import show_trained
from tunesmith.file_roles import Reads, Writes, own_folder_of


def run(
    ini: Annotated[Path, typer.Argument(help="Path of moses.ini."), Reads()],
    output_folder: Annotated[
        Path, typer.Option("-o", "--output", help="Directory for the model."), Writes(is_folder=own_folder_of)
    ],
    ignore: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Leave out what cannot be imported: a [section], a feature by its name or kind, or"
            " FEATURE.ARGUMENT; may contain * and be repeated.",
        ),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Import a model."""
    from tunesmith.model.importing import import_model

    with reporting(quiet) as progress:
        trained = import_model(ini, output_folder, ignore=ignore or (), progress=progress)
    if not quiet:
        show_trained(trained)
