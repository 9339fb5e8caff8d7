"""Options shared by the forest commands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.flags import Spells
from tunesmith.file_roles import Reads

__all__ = ["ForestFormat", "ForestInput", "ForestWeights", "MissingWeight"]


def _is_forest(name: str) -> bool:
    """Whether this is the name of a file that is read of a folder of forests."""
    from tunesmith.forest.readers.read import NUMBERED

    return NUMBERED.fullmatch(name) is not None


ForestInput = Annotated[
    Path,
    typer.Argument(help="Forests: a file, a folder with one file per sentence, or - for standard input."),
    Reads(of_folder=_is_forest),
]
ForestFormat = Annotated[
    str | None,
    typer.Option(
        "--format",
        help="forests, moses-graph, moses-hypergraph or cdec-json [default: detected from content].",
    ),
]
ForestWeights = Annotated[
    Path | None, typer.Option("--weights", help="Weights; show scores instead of features."), Reads()
]
MissingWeight = Annotated[
    float | None,
    typer.Option(
        "--missing-weight",
        help="Weight of features without one; 0 leaves them out of scores [default: they are an error].",
    ),
    Spells("missing"),
]
