"""`tunesmith itg` (models): Make an ITG model from the phrases of a phrase-based model.

Example:

    tunesmith itg model -o itg-model

    tunesmith decode itg-model -i test.de -o test.out

Phrase tables and language models are referenced, not copied: run the command again if they move. Straight and
inverted rules replace distortion and reordering models; their weights (`Straight0`, `Inverted0`) need tuning.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from tunesmith.cli.console import reporting
from tunesmith.cli.options import Quiet
from tunesmith.cli.train import show_trained
from tunesmith.file_roles import Reads, Writes, own_folder_of


def run(
    model: Annotated[
        Path, typer.Argument(help="Directory of a phrase-based model, trained or imported."), Reads()
    ],
    directory: Annotated[
        Path,
        typer.Option("-o", "--output", help="Directory for the new model."),
        Writes(is_folder=own_folder_of),
    ],
    form: Annotated[
        str, typer.Option(help="normal (normal form: one derivation per order of phrases) or plain.")
    ] = "normal",
    quiet: Quiet = False,
) -> None:
    """Make an ITG."""
    from tunesmith.model.itg import itg_over

    chosen: dict[str, Any] = {"form": form}  # checked there
    with reporting(quiet) as progress:
        trained = itg_over(model, directory, progress=progress, **chosen)
    if not quiet:
        show_trained(trained)
