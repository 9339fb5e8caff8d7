"""`tunesmith table filter`: Keep the phrase pairs that a text needs.

Example:

    tunesmith table filter table.bin --text dev.de --text test.de -o small.bin

Keeps the pairs whose source phrase occurs in one of the texts.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.console import errors, warn
from tunesmith.cli.options import Quiet
from tunesmith.file_roles import Reads, Writes


def run(
    table: Annotated[Path, typer.Argument(help="Binary phrase table."), Reads()],
    text: Annotated[
        list[Path],
        typer.Option(help="Source text, tokenized like the table; - is standard input; may be repeated."),
        Reads(),
    ],
    output_file: Annotated[Path, typer.Option("-o", "--output", help="Table to write."), Writes()],
    quiet: Quiet = False,
) -> None:
    """Filter a phrase table to texts."""
    from tunesmith.files import read_lines
    from tunesmith.tables import PhraseTable, filter_table

    mapped = PhraseTable.open(table)
    kept = filter_table(mapped, [line for path in text for line in read_lines(path)], output_file)
    if not quiet:
        errors.print(f"kept {len(kept)} of {len(mapped)} pairs", markup=False)
    if len(kept) == 0:
        warn(
            "no source phrase of the table occurs in the text; is it tokenized and lowercased like the table?"
        )
