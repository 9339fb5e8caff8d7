"""`tunesmith forest nbest`: forests and weights in, candidate lists out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.console import errors
from tunesmith.cli.forest_options import ForestFormat, ForestInput
from tunesmith.cli.groups import group
from tunesmith.cli.options import Missing, Quiet, Threads

__all__ = ["register"]

EXAMPLE = """Example:

    tunesmith forest nbest forests.bin --weights weights.json -k 100 --unique -o dev.nbest.gz --to moses

The lists can be written in every format of candidates: moses, cdec, jsonl, parquet."""


def register(root: typer.Typer) -> None:
    """Add the subcommand."""
    help_text = "Write the k best derivations of each forest as candidate lists.\n\n" + EXAMPLE
    group(root, "forest").command("nbest", help=help_text)(nbest)


def nbest(
    forests: ForestInput,
    weights: Annotated[Path, typer.Option(help="Weights, as `tune` wrote them or as 'name value' lines.")],
    output_file: Annotated[
        Path, typer.Option("-o", "--output", help="Where to write; the suffix tells the format.")
    ],
    k: Annotated[int, typer.Option("-k", help="Candidates a sentence, at most.")] = 100,
    unique: Annotated[bool, typer.Option(help="One candidate for all derivations of a text.")] = False,
    format_: ForestFormat = None,
    to: Annotated[str | None, typer.Option(help="Format of the lists [told by the suffix].")] = None,
    allow_missing: Missing = False,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Write n-best lists."""
    from tunesmith.files import check_outputs
    from tunesmith.forest.kbest import kbest_pool
    from tunesmith.forest.readers import read_forests
    from tunesmith.threads import thread_count
    from tunesmith.weights import Weights

    check_outputs([output_file], [forests, weights])
    given = Weights.read(weights)
    items = list(read_forests(forests, format=format_))
    ids, loaded = [name for name, _ in items], [forest for _, forest in items]
    pool = kbest_pool(
        loaded, given, k, unique=unique, ids=ids, allow_missing=allow_missing, threads=thread_count(threads)
    )
    pool.write(str(output_file), format=to)
    if not quiet:
        errors.print(f"{output_file}: {len(pool)} lists, {pool.n_candidates} candidates", markup=False)
