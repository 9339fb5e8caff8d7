"""`tunesmith lm compile`: Compile an ARPA file into a memory-mapped binary.

Examples:

    tunesmith lm compile lm.arpa.gz -o lm.bin

    tunesmith lm compile classes.arpa.gz --class-file words.classes -o classes.bin

The second is a class-based model: the binary maps words to their classes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.console import errors
from tunesmith.cli.options import Quiet, UnknownScore
from tunesmith.file_roles import Reads, Writes


def run(
    arpa: Annotated[
        str,
        typer.Argument(help="ARPA file, compressed by suffix (gz, bz2, xz, zst); `-` is stdin."),
        Reads(),
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="Binary to write."), Writes()],
    class_file: Annotated[
        Path | None,
        typer.Option(help="Class-based model: words and their classes, one pair per line."),
        Reads(),
    ] = None,
    unknown: UnknownScore = -100.0,
    quiet: Quiet = False,
) -> None:
    """Compile an ARPA file."""
    from tunesmith.lm import compile_lm

    def show(line: str) -> None:
        errors.print(line, markup=False)

    compile_lm(arpa, output, class_file=class_file, unknown=unknown, progress=None if quiet else show)
