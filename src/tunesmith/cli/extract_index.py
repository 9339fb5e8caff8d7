"""`tunesmith extract index`: Index an aligned bitext for grammars on demand.

Example:

    tunesmith extract index --source train.de --target train.en --alignment train.align -o model.suffix

`tunesmith extract grammars` takes the index.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.aligned_text import read_aligned_text
from tunesmith.cli.console import errors
from tunesmith.cli.options import Quiet, Threads


def run(
    source: Annotated[Path, typer.Option(help="Tokenized source side, a line a sentence.")],
    target: Annotated[Path, typer.Option(help="Tokenized target side.")],
    alignment: Annotated[Path, typer.Option(help="Links `i-j`, a line a pair.")],
    output_file: Annotated[Path, typer.Option("-o", "--output", help="The index to write.")],
    both_sides: Annotated[
        bool, typer.Option(help="Index the target side too, which p(f|e) of grammars needs.")
    ] = True,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Index an aligned bitext."""
    from tunesmith.extract.suffix_array import SuffixIndex
    from tunesmith.files import check_output

    check_output(output_file)
    SuffixIndex.build(
        *read_aligned_text(source, target, alignment),
        output_file,
        both_sides=both_sides,
        threads=threads,
        progress=None if quiet else lambda line: errors.print(line, markup=False),
    )
