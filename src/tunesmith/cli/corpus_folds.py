"""`tunesmith corpus folds`: Assign the sentences of a corpus to folds of about equal size.

Example:

    tunesmith corpus folds train.de --folds 10 -o train.folds

Writes one fold number, 0 to 9, per line of the text.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.options import Seed
from tunesmith.file_roles import Reads, Writes


def run(
    text: Annotated[Path, typer.Argument(help="Tokenized text, one sentence per line."), Reads()],
    output_file: Annotated[Path, typer.Option("-o", "--output", help="Where to write."), Writes()] = Path(
        "-"
    ),
    documents: Annotated[
        Path | None,
        typer.Option(help="Document ids, one per line; documents stay whole [default: contiguous folds]."),
        Reads(),
    ] = None,
    n: Annotated[int, typer.Option("--folds", help="Number of folds.")] = 10,
    balance: Annotated[str, typer.Option(help="Balance folds by number of words or lines.")] = "words",
    seed: Seed = 1,
) -> None:
    """Assign the sentences of a corpus to folds of about equal size."""
    from tunesmith.corpus.folds import folds_of_file, write_folds

    fold_of = folds_of_file(text, documents, folds=n, balance=balance, seed=seed)  # type: ignore[arg-type]
    write_folds(output_file, fold_of)
