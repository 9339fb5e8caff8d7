"""`tunesmith table merge`: Interpolate phrase tables, or fill one up from others.

Examples:

    tunesmith table merge table.bin small.bin --mixture-weights 0.7,0.3 -o joined.bin

    tunesmith table merge table.bin small.bin --mixture-weights '0.7,0.3;0.5,0.5;0.7,0.3;0.5,0.5' \\
      -o joined.bin

    tunesmith table merge small.bin table.bin --indicators -o filled.bin

With weights, probabilities are interpolated; a pair that a table lacks has probability 0 there. Without, each
pair is taken from the first table that has it (fill-up).
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.console import errors
from tunesmith.cli.options import Quiet
from tunesmith.errors import OptionError
from tunesmith.file_roles import Reads, Writes


def run(
    tables: Annotated[list[Path], typer.Argument(help="Two or more binary phrase tables."), Reads()],
    output_file: Annotated[Path, typer.Option("-o", "--output", help="Table to write."), Writes()],
    mixture_weights: Annotated[
        str | None,
        typer.Option(
            help="Interpolation weights, which sum to 1, such as 0.7,0.3; or one vector per score,"
            " such as '0.7,0.3;0.5,0.5;0.7,0.3;0.5,0.5'."
        ),
    ] = None,
    indicators: Annotated[
        bool,
        typer.Option(
            "--indicators", help="Add one score per further table that marks the pairs taken from it."
        ),
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Merge phrase tables."""
    from tunesmith.tables import PhraseTable, interpolate_tables, merge_tables

    mapped = [PhraseTable.open(path) for path in tables]
    if mixture_weights is None:
        joined = merge_tables(mapped, output_file, indicators=indicators)
    elif indicators:
        raise OptionError(
            "--indicators and --mixture-weights exclude each other: an interpolated pair is from all tables"
        )
    else:
        joined = interpolate_tables(mapped, _numbers(mixture_weights), output_file)
    if not quiet:
        errors.print(f"{output_file}: {len(joined)} pairs", markup=False, soft_wrap=True)


def _numbers(text: str) -> list[float] | list[list[float]]:
    try:
        vectors = [[float(number) for number in vector.split(",")] for vector in text.split(";")]
    except ValueError:
        raise OptionError(
            "--mixture-weights: expected numbers separated by commas, or one such list per score separated by"
            f" semicolons, found {text!r}"
        ) from None
    return vectors if len(vectors) > 1 else vectors[0]
