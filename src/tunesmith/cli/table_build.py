"""`tunesmith table build`: Score the phrase counts of a model, optionally without one fold.

Example:

    tunesmith table build model --exclude-fold 3 -o without-fold-3.bin

Models trained with `--folds` have counts by fold, so that no text is read again.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from tunesmith.cli.console import errors
from tunesmith.cli.flags import Given
from tunesmith.cli.options import Quiet, Threads
from tunesmith.extract.scoring import ScoringOptions
from tunesmith.file_roles import Reads, Writes


def run(
    model: Annotated[Path, typer.Argument(help="Directory of the model, of kind phrase or itg."), Reads()],
    *,
    output_file: Annotated[
        Path, typer.Option("-o", "--output", help="Where to write the binary table."), Writes()
    ],
    exclude_fold: Annotated[
        int | None, typer.Option(help="Score without the sentences of this fold.")
    ] = None,
    options: Annotated[dict[str, Any], Given(ScoringOptions, omit=("reordering_smoothing",))],
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Build a phrase table."""
    from tunesmith.extract import Lexicon, PhraseCounts, build_table
    from tunesmith.model.parts.names import COUNTS, LEXICON

    counts, lexicon = PhraseCounts.open(model / COUNTS), Lexicon.open(model / LEXICON)
    table = build_table(counts, lexicon, output_file, exclude_fold=exclude_fold, threads=threads, **options)
    if not quiet:
        errors.print(f"{len(table)} phrase pairs")
