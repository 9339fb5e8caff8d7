"""`tunesmith export` (models): Export a model as Moses tables and moses.ini.

Example:

    tunesmith export model -o moses --weights tuned.json

Writes text tables and a moses.ini whose paths are relative to the folder: run Moses there.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.console import errors, reporting
from tunesmith.cli.options import Quiet
from tunesmith.file_roles import Reads, Writes, own_folder_of


def _earlier_export(folder: Path, name: str) -> bool:
    """Say that files of a folder are replaced if it has an export; other folders must be empty."""
    return (folder / "moses.ini").is_file() and (folder / name).is_file()


def run(
    model: Annotated[Path, typer.Argument(help="Directory of the model."), Reads()],
    output_folder: Annotated[
        Path,
        typer.Option("-o", "--output", help="Folder for Moses' files."),
        Writes(is_folder=own_folder_of, replaces=_earlier_export),
    ],
    weights: Annotated[
        Path | None, typer.Option(help="Weights to write instead of the model's."), Reads()
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Export a model."""
    from tunesmith.model.exporting import export_model
    from tunesmith.weights import Weights

    given = None if weights is None else Weights.read(weights)
    with reporting(quiet) as progress:
        ini = export_model(model, output_folder, weights=given, progress=progress)
    if not quiet:
        errors.print(str(ini), markup=False, soft_wrap=True)
