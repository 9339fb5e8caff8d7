"""`tunesmith convert` (candidates): Convert and merge candidate lists.

Example:

    tunesmith convert --candidates dev.nbest.gz -o dev.jsonl

Several `--candidates` are merged; duplicates (same text and features) are dropped.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.console import errors
from tunesmith.cli.flags import Spells
from tunesmith.cli.options import (
    ExtraKeys,
    FeatureFiles,
    Format,
    ListSize,
    Missing,
    References,
    ScoreColumns,
    reader_options,
)


def run(
    candidates: Annotated[list[Path], typer.Option(help="Candidate lists; several files are merged.")],
    output_file: Annotated[
        Path, typer.Option("-o", "--output", help="File to write; the suffix determines the format.")
    ],
    references: References = None,
    format_: Format = None,
    feature: FeatureFiles = None,
    list_size: ListSize = None,
    score_column: ScoreColumns = None,
    extra_keys: ExtraKeys = None,
    to: Annotated[
        str | None, typer.Option(help="Format to write [default: from the suffix]."), Spells("format")
    ] = None,
    allow_missing: Missing = False,
) -> None:
    """Convert and merge candidate lists."""
    from tunesmith.candidates import Pool

    pool = Pool.read(
        [str(path) for path in candidates],
        references=[str(path) for path in references or []],
        format=format_,
        allow_missing=allow_missing,
        **reader_options(feature, list_size, score_column, extra_keys),
    )
    pool.write(str(output_file), format=to)
    errors.print(f"{len(pool)} lists, {pool.contents}", markup=False, soft_wrap=True)
