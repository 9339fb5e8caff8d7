"""`tunesmith import` (models): Import a Moses model, phrase-based or hierarchical.

Example:

    tunesmith import moses.ini -o model

Files named in moses.ini are searched in its folder and in the current folder.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.console import reporting
from tunesmith.cli.options import Quiet
from tunesmith.cli.train import show_trained


def run(
    ini: Annotated[Path, typer.Argument(help="Path of moses.ini.")],
    output_folder: Annotated[Path, typer.Option("-o", "--output", help="Directory for the model.")],
    quiet: Quiet = False,
) -> None:
    """Import a model."""
    from tunesmith.model.importing import import_model

    with reporting(quiet) as progress:
        trained = import_model(ini, output_folder, progress=progress)
    if not quiet:
        show_trained(trained)
