"""`tunesmith corpus prepare`: Tokenize, case, clean and de-duplicate parallel text.

Example:

    tunesmith corpus prepare --source raw.de --target raw.en \\
      --source-language de --target-language en -o train

This writes train.de and train.en, tokenized, lowercased and cleaned. Compressed files are read by suffix.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from tunesmith.cli.console import errors, print_json
from tunesmith.cli.options import Json, Quiet, Threads

__all__ = ["run"]


def run(
    source: Annotated[Path, typer.Option(help="Source side, a sentence a line.")],
    target: Annotated[Path, typer.Option(help="Target side, a line for each line of the source.")],
    prefix: Annotated[Path, typer.Option("-o", "--output", help="Prefix of the files to write.")],
    source_language: Annotated[
        str | None, typer.Option(help="Code of the source language, such as de.")
    ] = None,
    target_language: Annotated[str | None, typer.Option(help="Code of the target language.")] = None,
    documents: Annotated[
        Path | None, typer.Option(help="A document id a line; filtered alike, to PREFIX.docs.")
    ] = None,
    tokenize: Annotated[str, typer.Option(help="moses, or none: tokens are between spaces.")] = "moses",
    case: Annotated[str, typer.Option(help="lower, true (a truecaser is trained), or keep.")] = "lower",
    min_length: Annotated[int, typer.Option(help="Fewest tokens on either side.")] = 1,
    max_length: Annotated[int, typer.Option(help="Most tokens on either side.")] = 80,
    ratio: Annotated[
        float, typer.Option(help="One side has at most so many times the other's tokens.")
    ] = 9.0,
    controls: Annotated[str, typer.Option(help="Control characters: remove, or drop the pair.")] = "remove",
    deduplicate: Annotated[
        str, typer.Option(help="no, pair, source or target: the first of equal ones stays.")
    ] = "no",
    lines: Annotated[
        Path | None, typer.Option(help="Where to write the numbers of the raw lines that were kept.")
    ] = None,
    threads: Threads = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Tokenize, case, clean and de-duplicate parallel text."""
    from tunesmith.corpus.prepare import PrepareOptions
    from tunesmith.corpus.prepare import prepare as run

    choices: dict[str, Any] = {"tokenize": tokenize, "case": case, "controls": controls}
    options = PrepareOptions(
        source_language,
        target_language,
        min_length=min_length,
        max_length=max_length,
        ratio=ratio,
        deduplicate=deduplicate,  # type: ignore[arg-type]  # checked there
        **choices,
    )
    done = run(
        source,
        target,
        prefix,
        options,
        documents=documents,
        lines=lines,
        threads=threads,
        progress=None if quiet else lambda line: errors.print(line, markup=False),
    )
    if json:
        files = [str(path) for path in (done.source, done.target, done.documents) if path is not None]
        print_json({"files": files, "pairs": done.counts, "tokens": list(done.tokens)})
