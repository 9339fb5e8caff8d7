"""`tunesmith classes` (text): Cluster words into classes by their neighbors.

Example:

    tunesmith classes train.en -k 80 -o classes.en

Writes one line per word: word, tab, class.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.console import errors, reporting
from tunesmith.cli.options import Quiet, Threads
from tunesmith.file_roles import Reads, Writes


def run(
    text: Annotated[
        Path, typer.Argument(help="Tokenized text, one sentence per line; - is standard input."), Reads()
    ],
    output_file: Annotated[
        Path, typer.Option("-o", "--output", help="Where to write; - is standard output."), Writes()
    ],
    k: Annotated[int, typer.Option("-k", "--classes", help="Number of classes.")] = 80,
    epochs: Annotated[
        int, typer.Option(help="Maximum number of passes over the words; stops when no word moves.")
    ] = 30,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Cluster words into classes."""
    from tunesmith.corpus import Sentences
    from tunesmith.extract.classes import train_classes

    with reporting(quiet) as progress:
        trained = train_classes(Sentences.read(text), k, epochs=epochs, threads=threads, progress=progress)
    trained.write(output_file)
    if not quiet:
        errors.print(
            f"{len(trained)} words in {trained.n_classes} classes,"
            f" mutual information {trained.mutual_information:.5f} nats"
            + ("" if trained.converged else "; not converged: raise --epochs")
        )
