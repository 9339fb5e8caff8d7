"""`tunesmith forest draw`: Write a forest for Graphviz.

Example:

    tunesmith forest draw forests.bin --sentence 3 -o 3.dot

Then run `dot -Tsvg 3.dot -o 3.svg`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.forest_options import ForestFormat, ForestInput, ForestWeights, MissingWeight
from tunesmith.errors import OptionError
from tunesmith.file_roles import Writes


def run(
    forests: ForestInput,
    sentence: Annotated[str, typer.Option(help="Id of the sentence.")] = "0",
    output_file: Annotated[
        Path, typer.Option("-o", "--output", help="Where to write [default: standard output]."), Writes()
    ] = Path("-"),
    weights: ForestWeights = None,
    missing_weight: MissingWeight = None,
    format_: ForestFormat = None,
) -> None:
    """Draw a forest."""
    from tunesmith.container import container_kind
    from tunesmith.errors import InputError
    from tunesmith.forest.file import KIND, ForestFile
    from tunesmith.forest.readers import read_forests
    from tunesmith.forest.writers import write_forests
    from tunesmith.weights import Weights

    if missing_weight is not None and weights is None:
        raise OptionError(
            "{} needs {}: it is the weight of features without one", "missing_weight", "weights"
        )
    if container_kind(forests) == KIND:
        forest = ForestFile.open(forests).by_id(sentence)
    else:
        found = (each for name, each in read_forests(forests, format=format_) if name == sentence)
        first = next(found, None)
        if first is None:
            raise InputError(f"no forest has the id {sentence!r}", path=forests)
        forest = first
    values = None if weights is None else Weights.read(weights)
    write_forests(output_file, [(sentence, forest)], format="dot", weights=values, missing=missing_weight)
