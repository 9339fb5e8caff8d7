"""`tunesmith convert` (candidates): Convert and merge candidate lists.

Example:

    tunesmith convert --candidates dev.nbest.gz -o dev.jsonl

Several `--candidates` are merged, list by list; `--duplicates drop` writes each candidate (text and
features) once.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.console import errors
from tunesmith.cli.flags import Spells
from tunesmith.cli.options import References
from tunesmith.cli.reader_options import ReaderFlags
from tunesmith.file_roles import Reads, Writes


def run(
    candidates: Annotated[
        list[Path], typer.Option(help="Candidate lists; several files are merged, list by list."), Reads()
    ],
    output_file: Annotated[
        Path,
        typer.Option("-o", "--output", help="File to write; the suffix determines the format."),
        Writes(),
    ],
    references: References = None,
    *,
    reader: ReaderFlags,
    to: Annotated[
        str | None, typer.Option(help="Format to write [default: from the suffix]."), Spells("format")
    ] = None,
) -> None:
    """Convert and merge candidate lists."""
    pool = reader.read(candidates, references)
    pool.write(str(output_file), format=to)
    errors.print(f"{len(pool)} lists, {pool.contents}", markup=False, soft_wrap=True)
