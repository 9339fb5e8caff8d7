"""`tunesmith table prune`: Drop pairs that are rare, unlikely or due to chance.

Examples:

    tunesmith table prune table.bin --min-count 2 --top 20 -o pruned.bin

    tunesmith table prune table.bin --significance alpha+epsilon -o significant.bin

Significance is Fisher's exact test on how often two phrases are together. With --source and --target the
sentences of the training text that hold them are counted; without, the table's own counts are taken.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.console import errors, warn
from tunesmith.cli.options import Quiet
from tunesmith.errors import OptionError
from tunesmith.tables.filter import Pruning


def run(
    table: Annotated[Path, typer.Argument(help="A mapped phrase table.")],
    *,
    output_file: Annotated[Path, typer.Option("-o", "--output", help="The table to write.")],
    pruning: Pruning,
    significance: Annotated[
        str | None,
        typer.Option(help="alpha+epsilon, alpha-epsilon, or the least -ln p: another way to prune."),
    ] = None,
    source: Annotated[Path | None, typer.Option(help="Source side of the training text.")] = None,
    target: Annotated[Path | None, typer.Option(help="Target side of the training text.")] = None,
    total: Annotated[
        int | None,
        typer.Option(help="How many pairs were extracted [as the table tells, or its counts' sum]."),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Prune a phrase table."""
    from tunesmith.corpus import Bitext
    from tunesmith.tables import PhraseTable, prune_significance, prune_table

    mapped = PhraseTable.open(table)
    if significance is None:
        if (source, target, total) != (None, None, None):
            raise OptionError("--source, --target and --total belong to --significance")
        kept = prune_table(mapped, output_file, pruning)
    else:
        if pruning != Pruning():
            raise OptionError("--significance: prune by counts in a run of its own")
        if (source is None) != (target is None):
            raise OptionError("--source and --target belong together")
        bitext = Bitext.read(source, target) if source is not None and target is not None else None
        least = _threshold(significance)
        kept = prune_significance(mapped, output_file, bitext=bitext, total=total, threshold=least)
    if not quiet:
        errors.print(f"kept {len(kept)} of {len(mapped)} pairs", markup=False)
    if len(kept) == 0:
        warn("no pair passed, so the table is empty; are the limits too high, or has the table no counts?")


def _threshold(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text
