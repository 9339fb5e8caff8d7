"""`tunesmith import`: a model of Moses, from its moses.ini."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.console import errors
from tunesmith.cli.options import Quiet

__all__ = ["register"]

EXAMPLE = """Example:

    tunesmith import moses.ini -o model

Files that the ini names are looked for beside it and in the current folder."""


def register(root: typer.Typer) -> None:
    """Add the subcommand."""
    root.command("import", help="Import a phrase-based model of Moses.\n\n" + EXAMPLE)(import_command)


def import_command(
    ini: Annotated[Path, typer.Argument(help="The moses.ini.")],
    output_folder: Annotated[Path, typer.Option("-o", "--output", help="Folder for the model.")],
    quiet: Quiet = False,
) -> None:
    """Import a model."""
    from tunesmith.model.moses_import import import_moses

    def tell(line: str) -> None:
        if not quiet:
            errors.print(line, markup=False, soft_wrap=True)

    model = import_moses(ini, output_folder, progress=tell)
    tell(f"{output_folder}: {len(model.weights)} weights")
