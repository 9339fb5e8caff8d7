"""`tunesmith export`: a model as Moses reads it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.console import errors
from tunesmith.cli.options import Quiet

__all__ = ["register"]

EXAMPLE = """Example:

    tunesmith export model -o moses --weights tuned.json

Writes text tables and a moses.ini whose paths are relative to the folder: run Moses there."""


def register(root: typer.Typer) -> None:
    """Add the subcommand."""
    root.command("export", help="Export a model as tables and an ini of Moses.\n\n" + EXAMPLE)(export)


def export(
    model: Annotated[Path, typer.Argument(help="The folder of the model.")],
    output_folder: Annotated[Path, typer.Option("-o", "--output", help="Folder for Moses' files.")],
    weights: Annotated[Path | None, typer.Option(help="Weights to write instead of the model's.")] = None,
    quiet: Quiet = False,
) -> None:
    """Export a model."""
    from tunesmith.model.moses_export import export_moses
    from tunesmith.model.moses_parts import ImportedModel
    from tunesmith.weights import Weights

    def tell(line: str) -> None:
        if not quiet:
            errors.print(line, markup=False, soft_wrap=True)

    given = None if weights is None else Weights.read(weights)
    ini = export_moses(ImportedModel.read(model), output_folder, weights=given, progress=tell)
    tell(str(ini))
