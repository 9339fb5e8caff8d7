"""`tunesmith itg`: Make a model that joins the phrases of another by an ITG.

Example:

    tunesmith itg model -o itg-model

    tunesmith decode itg-model -i test.de -o test.out

Phrase tables and language models are used where they are, and are not copied: run the command again when they
have moved. Distortion and reordering models give way to straight and inverted rules, each with a weight
(`Straight0`, `Inverted0`) that wants tuning.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from tunesmith.cli.console import reporting
from tunesmith.cli.options import Quiet
from tunesmith.cli.train import show_trained


def run(
    model: Annotated[Path, typer.Argument(help="The directory of a phrase model, trained or imported.")],
    directory: Annotated[Path, typer.Option("-o", "--output", help="The new model's directory.")],
    form: Annotated[
        str, typer.Option(help="normal (one derivation of an order of phrases) or plain.")
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
