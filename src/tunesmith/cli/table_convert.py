"""`tunesmith table convert`: Convert a phrase table from or to Moses' text format.

Examples:

    tunesmith table convert phrase-table.gz --reordering reordering-table.gz -o table.bin

    tunesmith table convert table.bin --reordering again.reordering.gz -o again.gz

The input determines the direction: a binary table is written as text, a text table as binary. The text may be
compressed (.gz, .bz2, .xz, .zst).
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.console import errors
from tunesmith.cli.options import Quiet


def run(
    table: Annotated[Path, typer.Argument(help="Phrase table, text or binary.")],
    output_file: Annotated[
        Path, typer.Option("-o", "--output", help="Where to write; - is standard output.")
    ],
    reordering: Annotated[
        list[Path] | None,
        typer.Option(help="Reordering table to read or write; may be repeated."),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Convert a phrase table."""
    from tunesmith.container import container_kind
    from tunesmith.tables import PhraseTable, read_moses_table, write_moses_table

    def report(line: str) -> None:
        if not quiet:
            errors.print(line, markup=False, soft_wrap=True)

    if container_kind(table):
        mapped = PhraseTable.open(table)
        write_moses_table(mapped, output_file, reordering)
        report(f"{output_file}: {len(mapped)} pairs")
    else:
        read_moses_table(table, output_file, reordering=reordering, progress=report)
