"""`tunesmith table convert`: Convert a phrase table from Moses' text form, or to it.

Examples:

    tunesmith table convert phrase-table.gz --reordering reordering-table.gz -o table.bin

    tunesmith table convert table.bin --reordering again.reordering.gz -o again.gz

The input tells the direction: a mapped table is written as text, a text table is mapped. The text may be
compressed (.gz, .bz2, .xz, .zst).
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.console import errors
from tunesmith.cli.options import Quiet


def run(
    table: Annotated[Path, typer.Argument(help="The table, of text or mapped.")],
    output_file: Annotated[
        Path, typer.Option("-o", "--output", help="Where to write; - is standard output.")
    ],
    reordering: Annotated[
        list[Path] | None,
        typer.Option(help="The reordering table to read or write; repeat for more models."),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Convert a phrase table."""
    from tunesmith.container import container_kind
    from tunesmith.tables import PhraseTable, read_moses_table, write_moses_table

    def tell(line: str) -> None:
        if not quiet:
            errors.print(line, markup=False, soft_wrap=True)

    if container_kind(table):
        mapped = PhraseTable.open(table)
        write_moses_table(mapped, output_file, reordering)
        tell(f"{output_file}: {len(mapped)} pairs")
    else:
        read_moses_table(table, output_file, reordering=reordering, progress=tell)
