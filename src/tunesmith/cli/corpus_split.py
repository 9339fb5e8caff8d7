"""`tunesmith corpus split`: Split parallel text into training, development and test parts.

Example:

    tunesmith corpus split --source all.de --target all.en --dev 500 --test 0.05 -o part

Writes part.train.de, part.train.en, part.dev.de and so on, with the suffixes of the input.
No source and no target sentence is in two parts; --allow-overlap compares whole pairs only.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from tunesmith.cli.console import errors
from tunesmith.cli.options import Quiet, Seed
from tunesmith.file_roles import Reads, Writes


def _parts(prefix: str, values: Mapping[str, Any]) -> list[Path]:
    """Return the files of the parts."""
    from tunesmith.corpus.split import part_files

    inputs = [values[name] for name in ("source", "target", "documents") if values[name] is not None]
    return part_files(prefix, inputs, dev=values["dev"], test=values["test"])


def run(
    source: Annotated[Path, typer.Option(help="Source side, one sentence per line."), Reads()],
    target: Annotated[Path, typer.Option(help="Target side."), Reads()],
    prefix: Annotated[
        Path, typer.Option("-o", "--output", help="Prefix of the files to write."), Writes(_parts)
    ],
    dev: Annotated[float, typer.Option(help="Number of pairs for development; a share if below 1.")] = 0.05,
    test: Annotated[float, typer.Option(help="Number of pairs for test; a share if below 1.")] = 0.05,
    documents: Annotated[
        Path | None, typer.Option(help="Document ids, one per line; documents stay whole."), Reads()
    ] = None,
    allow_overlap: Annotated[
        bool,
        typer.Option(
            "--allow-overlap",
            help="Compare whole pairs only. Without it, pairs with a source or target in common (apart from"
            " spaces and case) stay together.",
        ),
    ] = False,
    seed: Seed = 1,
    quiet: Quiet = False,
) -> None:
    """Split parallel text into training, development and test parts."""
    from tunesmith.corpus.split import split_files

    parts = split_files(
        source,
        target,
        prefix,
        dev=dev,
        test=test,
        documents=documents,
        allow_overlap=allow_overlap,
        seed=seed,
    )
    if not quiet:
        sizes = {name: len(getattr(parts, name)) for name in ("train", "dev", "test", "dropped")}
        errors.print(", ".join(f"{name} {size}" for name, size in sizes.items()), markup=False)
        if documents is None and parts.largest_group > max(sizes["dev"], sizes["test"]) > 0:
            errors.print(
                f"{parts.largest_group} pairs, linked by sources or targets that they share, are too many for"
                " dev or test: all are in train",
                soft_wrap=True,
            )
