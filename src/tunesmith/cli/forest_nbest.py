"""`tunesmith forest nbest`: Write the k best derivations of each forest as candidate lists.

Example:

    tunesmith forest nbest forests.bin --weights weights.json --nbest 100 --unique -o dev.nbest.gz

The lists can be written in every format of candidates: moses, cdec, jsonl, parquet.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.console import errors
from tunesmith.cli.counted import counted
from tunesmith.cli.flags import Spells
from tunesmith.cli.forest_options import ForestFormat, ForestInput, MissingWeight
from tunesmith.cli.options import Missing, Quiet, Threads
from tunesmith.file_roles import Reads, Writes


def run(
    forests: ForestInput,
    weights: Annotated[Path, typer.Option(help="Weights written by `tune`, or lines 'name value'."), Reads()],
    output_file: Annotated[
        Path, typer.Option("-o", "--output", help="Where to write; - is standard output."), Writes()
    ],
    nbest: Annotated[int, typer.Option(help="Maximum number of candidates per list.")] = 100,
    unique: Annotated[
        bool, typer.Option("--unique", help="List each translation once, with its best derivation.")
    ] = False,
    format_: ForestFormat = None,
    to: Annotated[
        str | None,
        typer.Option(help="Format of the lists [default: from the suffix, else moses]."),
        Spells("format"),
    ] = None,
    missing_weight: MissingWeight = None,
    allow_missing: Missing = False,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Write n-best lists."""
    from tunesmith.forest import read_forests, write_nbest
    from tunesmith.weights import Weights

    given = Weights.read(weights)
    written = write_nbest(
        output_file,
        read_forests(forests, format=format_),
        given,
        nbest,
        format=to,
        unique=unique,
        missing=missing_weight,
        allow_missing=allow_missing,
        threads=threads,
    )
    if not quiet:
        errors.print(
            f"{output_file}: {counted(written.lists, 'list')}, {counted(written.candidates, 'candidate')}",
            markup=False,
            soft_wrap=True,
        )
