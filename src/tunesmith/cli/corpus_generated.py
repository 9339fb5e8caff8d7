"""`tunesmith corpus generated`: Generate German-English sentence pairs by grammar.

Examples:

    tunesmith corpus generated -n 1000 --seed 1

    tunesmith corpus generated -n 1000 --seed 1 -o train

The first prints tab-separated pairs; the second writes train.de, train.en, train.align, and train.README,
which names them. Only files that it names are replaced later, never text of yours.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from tunesmith.cli.console import errors
from tunesmith.cli.options import Seed
from tunesmith.file_roles import Writes


def _generated(prefix: str, values: Mapping[str, Any]) -> list[Path]:
    """Return the text, the alignment and what describes them."""
    from tunesmith.generated.generate import MOST_REFERENCES
    from tunesmith.generated.write import CorpusFiles

    files = CorpusFiles.of(prefix, min(max(values["count"], 1), MOST_REFERENCES))
    return [*files.texts, files.readme]


def run(
    n: Annotated[int, typer.Option("-n", "--pairs", help="Number of pairs.")] = 10,
    seed: Seed = 1,
    prefix: Annotated[
        Path | None, typer.Option("-o", "--output", help="Prefix of the files to write."), Writes(_generated)
    ] = None,
    count: Annotated[
        int, typer.Option("--references-per-pair", help="Number of English references per pair, 1 to 4.")
    ] = 1,
    noise: Annotated[float, typer.Option(help="Share of noisy pairs, as in real corpora.")] = 0.05,
    lowercase: Annotated[bool, typer.Option("--lowercase", help="Lowercase both sides.")] = False,
    processes: Annotated[int, typer.Option(help="Number of processes; the text does not depend on it.")] = 1,
) -> None:
    """Generate sentence pairs."""
    from tunesmith.generated import LABEL, generate, write_corpus

    errors.print(LABEL, markup=False)
    if prefix is not None:
        write_corpus(
            prefix, n, seed=seed, references=count, noise=noise, lowercase=lowercase, processes=processes
        )
        return
    for pair in generate(n, seed=seed, references=count, noise=noise, lowercase=lowercase):
        sys.stdout.write("\t".join([pair.source, *pair.references]) + "\n")
