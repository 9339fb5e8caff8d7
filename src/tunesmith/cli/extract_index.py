"""`tunesmith extract index`: Index aligned text for grammars on demand.

Example:

    tunesmith extract index --source train.de --target train.en --alignment train.align -o model.suffix

`tunesmith extract grammars` reads the index.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.aligned_text import read_aligned_text
from tunesmith.cli.console import errors
from tunesmith.cli.options import Quiet, Threads
from tunesmith.file_roles import Reads, Writes


def run(
    source: Annotated[Path, typer.Option(help="Tokenized source side, one sentence per line."), Reads()],
    target: Annotated[Path, typer.Option(help="Tokenized target side."), Reads()],
    alignment: Annotated[Path, typer.Option(help="Word alignments, one line `0-0 1-2` per pair."), Reads()],
    output_file: Annotated[Path, typer.Option("-o", "--output", help="Index to write."), Writes()],
    both_sides: Annotated[bool, typer.Option(help="Also index the target side, which p(f|e) needs.")] = True,
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
