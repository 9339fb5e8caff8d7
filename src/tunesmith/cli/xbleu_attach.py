"""`tunesmith xbleu attach`: Add a trained reordering model to a phrase model.

Example:

    tunesmith xbleu attach model reordering -o model2

    tunesmith tune model model2 --source dev.de --references dev.en --method mira -o tuned

The new model has one feature per orientation, such as `SparseHRM_swap`, with the start weight 1 / gamma,
gamma being the scale of the training's scores; all others have the weights that the lists of the training
were made with, or those of --weights. The files of the model are referenced, not copied: run the command
again if they move. Scores of phrase pairs are computed once, so that decoding is nearly as fast as without
the new model.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.console import note, reporting
from tunesmith.cli.options import Quiet, Threads
from tunesmith.cli.train import show_trained
from tunesmith.file_roles import Reads, Writes, own_folder_of


def run(
    model: Annotated[Path, typer.Argument(help="Directory of a phrase model, trained or imported."), Reads()],
    reordering: Annotated[Path, typer.Argument(help="Folder made by `tunesmith xbleu train`."), Reads()],
    directory: Annotated[
        Path,
        typer.Option("-o", "--output", help="Directory for the new model."),
        Writes(is_folder=own_folder_of),
    ],
    name: Annotated[
        str | None,
        typer.Option(help="Name of the features: NAME_swap and so on [default: that of the feature set]."),
    ] = None,
    weights: Annotated[
        Path | None,
        typer.Option(help="Start weights of the model's own features [default: those of the lists]."),
        Reads(),
    ] = None,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Attach the model."""
    from tunesmith.xbleu.attach import attach

    with reporting(quiet) as progress:
        trained = attach(
            model,
            reordering,
            directory,
            name=name,
            weights=weights,
            threads=threads,
            progress=progress,
            announce=None if quiet else note,
        )
    if not quiet:
        show_trained(trained)
