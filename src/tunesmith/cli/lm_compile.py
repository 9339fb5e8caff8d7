"""`tunesmith lm compile`: Compile an ARPA file into a binary that opens at once.

Examples:

    tunesmith lm compile lm.arpa.gz -o lm.bin

    tunesmith lm compile classes.arpa.gz --classes words.classes -o classes.bin

The second is a model of word classes: the binary looks words up by their class.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.console import errors
from tunesmith.cli.options import Quiet


def run(
    arpa: Annotated[str, typer.Argument(help="The ARPA file; gz, bz2, xz, zst by suffix; `-` is stdin.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The binary to write.")],
    classes: Annotated[
        str | None, typer.Option(help="Words and their classes, a pair a line, for a model of classes.")
    ] = None,
    unknown: Annotated[
        float, typer.Option(help="log10 probability of unknown words where the model has no `<unk>`.")
    ] = -100.0,
    quiet: Quiet = False,
) -> None:
    """Compile an ARPA file."""
    from tunesmith.lm import compile_lm

    def show(line: str) -> None:
        errors.print(line, markup=False)

    compile_lm(arpa, output, classes=classes, unknown=unknown, progress=None if quiet else show)
