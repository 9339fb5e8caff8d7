"""`tunesmith corpus folds`: Deal the sentences of a corpus to folds of about as many words.

Example:

    tunesmith corpus folds train.de --folds 10 -o train.folds

This writes a fold number, 0 to 9, a line of the text.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.options import Seed


def run(
    text: Annotated[Path, typer.Argument(help="Tokenized text, a sentence a line.")],
    output_file: Annotated[Path, typer.Option("-o", "--output", help="Where to write.")] = Path("-"),
    documents: Annotated[
        Path | None, typer.Option(help="A document id a line; without it folds are contiguous.")
    ] = None,
    n: Annotated[int, typer.Option("--folds", help="Number of folds.")] = 10,
    balance: Annotated[str, typer.Option(help="What folds have as many of: words or lines.")] = "words",
    seed: Seed = 1,
) -> None:
    """Deal the sentences of a corpus to folds of about as many words."""
    from tunesmith.corpus.folds import folds_of_file, write_folds
    from tunesmith.files import check_outputs

    check_outputs([output_file], [text, documents])
    fold_of = folds_of_file(text, documents, folds=n, balance=balance, seed=seed)  # type: ignore[arg-type]
    write_folds(output_file, fold_of)
