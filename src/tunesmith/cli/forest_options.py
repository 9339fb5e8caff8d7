"""Options that the commands of forests share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["ForestFormat", "ForestInput", "ForestWeights"]

ForestInput = Annotated[
    Path, typer.Argument(help="Forests: a file, a folder with a file a sentence, or - for standard input.")
]
ForestFormat = Annotated[
    str | None,
    typer.Option(
        "--format", help="forests, moses-graph, moses-hypergraph or cdec-json [told by the content]."
    ),
]
ForestWeights = Annotated[
    Path | None, typer.Option("--weights", help="Weights, to show scores instead of features.")
]
