"""`tunesmith forest convert`: Convert forests: mapped file, Moses' graphs and hypergraphs, cdec's JSON.

Examples:

    tunesmith forest convert graphs.osg.gz -o forests.bin

    tunesmith forest convert forests.bin -o hypergraphs/

The mapped file (`.bin`) is lossless; text formats contain what their decoders write.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from tunesmith.cli.console import errors
from tunesmith.cli.forest_options import ForestFormat, ForestInput, MissingWeight
from tunesmith.cli.options import Quiet
from tunesmith.errors import OptionError
from tunesmith.file_roles import Reads, Writes, named_like


def run(
    forests: ForestInput,
    output_file: Annotated[
        str,
        typer.Option(
            "-o", "--output", help="File to write; the suffix determines the format, a final / a folder."
        ),
        Writes(
            is_folder=lambda value, values: value.endswith(os.sep) or Path(value).is_dir(),
            replaces=named_like(r"\d+(\.\w+)+"),
        ),
    ],
    format_: ForestFormat = None,
    to: Annotated[
        str | None,
        typer.Option(
            help="forests, moses-graph, moses-hypergraph, cdec-json or dot [default: from the suffix]."
        ),
    ] = None,
    weights: Annotated[
        Path | None, typer.Option(help="Format moses-graph: weights for transition scores."), Reads()
    ] = None,
    missing_weight: MissingWeight = None,
    quiet: Quiet = False,
) -> None:
    """Convert forests."""
    from tunesmith.forest.readers import read_forests
    from tunesmith.forest.writers import write_forests
    from tunesmith.weights import Weights

    if missing_weight is not None and weights is None:
        raise OptionError(
            "{} needs {}: it is the weight of features without one", "missing_weight", "weights"
        )
    options: dict[str, Any] = (
        {} if weights is None else {"weights": Weights.read(weights), "missing": missing_weight}
    )
    count = write_forests(output_file, read_forests(forests, format=format_), format=to, **options)
    if not quiet:
        errors.print(f"{output_file}: {count} forests", markup=False, soft_wrap=True)
