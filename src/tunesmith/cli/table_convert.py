"""`tunesmith table convert`: Convert a phrase table from or to Moses' text format.

Examples:

    tunesmith table convert phrase-table.gz --reordering-table reordering-table.gz -o table.bin

    tunesmith table convert table.bin --reordering-table again.reordering.gz -o again.gz

The input determines the direction: a binary table is written as text, a text table as binary. The text may be
compressed (.gz, .bz2, .xz, .zst).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from tunesmith.cli.console import errors
from tunesmith.cli.options import Quiet
from tunesmith.container import is_container
from tunesmith.file_roles import Reads, Writes


def _if_text(reordering: str, values: Mapping[str, Any]) -> list[Path]:
    """Return the table if it is read: if that of the phrases is text."""
    return [] if is_container(values["table"]) else [Path(reordering)]


def _if_binary(reordering: str, values: Mapping[str, Any]) -> list[Path]:
    """Return the table if it is written."""
    return [Path(reordering)] if is_container(values["table"]) else []


def run(
    table: Annotated[Path, typer.Argument(help="Phrase table, text or binary."), Reads()],
    output_file: Annotated[
        Path, typer.Option("-o", "--output", help="Where to write; - is standard output."), Writes()
    ],
    reordering_table: Annotated[
        list[Path] | None,
        typer.Option(help="Reordering table to read or write; may be repeated."),
        Reads(_if_text),
        Writes(_if_binary),
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
        write_moses_table(mapped, output_file, reordering_table)
        report(f"{output_file}: {len(mapped)} pairs")
    else:
        read_moses_table(table, output_file, reordering=reordering_table, progress=report)
