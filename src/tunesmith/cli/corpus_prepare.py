"""`tunesmith corpus prepare`: Tokenize, case, clean and de-duplicate parallel text.

Example:

    tunesmith corpus prepare --source raw.de --target raw.en \\
      --source-language de --target-language en -o train

Writes train.de and train.en, tokenized, lowercased and cleaned. Compression follows the suffix.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from tunesmith.cli.console import errors, print_json
from tunesmith.cli.flags import spelled
from tunesmith.cli.options import Json, Quiet, Threads
from tunesmith.corpus.prepare import PrepareOptions, prepare, suffixes_of
from tunesmith.file_roles import Reads, Writes


def _prepared(prefix: str, values: Mapping[str, Any]) -> list[Path]:
    """Return the files that `prepare` writes."""
    suffixes = suffixes_of(values["source_language"], values["target_language"])
    names = [*suffixes, *(["docs"] if values["documents"] is not None else [])]
    if values["case"] == "true":
        names += [f"truecase.{suffix}" for suffix in suffixes]
    return [Path(f"{prefix}.{name}") for name in names]


def run(
    *,
    source: Annotated[Path, typer.Option(help="Source side, one sentence per line."), Reads()],
    target: Annotated[Path, typer.Option(help="Target side, with the same number of lines."), Reads()],
    prefix: Annotated[
        Path, typer.Option("-o", "--output", help="Prefix of the files to write."), Writes(_prepared)
    ],
    documents: Annotated[
        Path | None,
        typer.Option(help="Document ids, one per line; filtered like the text, to PREFIX.docs."),
        Reads(),
    ] = None,
    options: PrepareOptions,
    lines: Annotated[
        Path | None, typer.Option(help="Where to write the line numbers of the pairs that remain."), Writes()
    ] = None,
    threads: Threads = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Tokenize, case, clean and de-duplicate parallel text."""
    done = prepare(
        source,
        target,
        prefix,
        options,
        documents=documents,
        lines=lines,
        threads=threads,
        progress=None if quiet else lambda line: errors.print(spelled(line), markup=False, soft_wrap=True),
    )
    if json:
        files = [str(path) for path in (done.source, done.target, done.documents) if path is not None]
        print_json({"files": files, "pairs": done.counts, "tokens": list(done.tokens)})
