"""`tunesmith table prune`: Drop pairs that are rare, unlikely or due to chance.

Examples:

    tunesmith table prune table.bin --min-count 2 --top 20 -o pruned.bin

    tunesmith table prune table.bin --significance alpha+epsilon -o significant.bin

Significance is Fisher's exact test of how often two phrases co-occur. With --source and --target, sentence
pairs of the training text are counted; without, the counts of the table are used.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.console import errors, warn
from tunesmith.cli.options import Quiet
from tunesmith.errors import OptionError
from tunesmith.file_roles import Reads, Writes
from tunesmith.tables.filter import Pruning


def run(
    table: Annotated[Path, typer.Argument(help="Binary phrase table."), Reads()],
    *,
    output_file: Annotated[Path, typer.Option("-o", "--output", help="Table to write."), Writes()],
    pruning: Pruning,
    significance: Annotated[
        str | None,
        typer.Option(
            help="Prune by significance instead: alpha+epsilon, alpha-epsilon, or the minimum -ln p."
        ),
    ] = None,
    source: Annotated[Path | None, typer.Option(help="Source side of the training text."), Reads()] = None,
    target: Annotated[Path | None, typer.Option(help="Target side of the training text."), Reads()] = None,
    total: Annotated[
        int | None,
        typer.Option(help="Number of extracted pairs [default: from the table, else the sum of its counts]."),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Prune a phrase table."""
    from tunesmith.corpus import Bitext
    from tunesmith.tables import PhraseTable, prune_significance, prune_table

    mapped = PhraseTable.open(table)
    if significance is None:
        if (source, target, total) != (None, None, None):
            raise OptionError("--source, --target and --total need --significance")
        kept = prune_table(mapped, output_file, pruning)
    else:
        if pruning != Pruning():
            raise OptionError("--significance excludes other limits; run the command once per criterion")
        if (source is None) != (target is None):
            raise OptionError("--source and --target need each other")
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
