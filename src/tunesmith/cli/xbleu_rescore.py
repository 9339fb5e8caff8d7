"""`tunesmith xbleu rescore`: Add the features of a trained reordering model to n-best lists.

Example:

    tunesmith decode model -i dev.de --nbest-output dev.nbest --nbest-segments

    tunesmith xbleu rescore dev.nbest reordering --source dev.de -o dev.rescored.nbest

    tunesmith tune nbest --candidates dev.rescored.nbest --references dev.en --method mira -o weights.json

The lists are in the format of Moses, with the phrases of each candidate as fifth field: `decode
--nbest-segments` writes them, and so does Moses. Each candidate gets one feature per orientation, such as
`SparseHRM_swap=`; the rest of its line does not change, and totals are those of the decoder.

`decode` marks unknown words and phrases given by the input as `2=2*`. Where Moses' lists do not tell which
copied words are unknown, those without a weight as a source phrase are.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.console import errors
from tunesmith.cli.options import Quiet
from tunesmith.file_roles import Reads, Writes


def run(
    lists: Annotated[
        Path, typer.Argument(help="N-best lists with the phrases of their candidates."), Reads()
    ],
    reordering: Annotated[Path, typer.Argument(help="Folder made by `tunesmith xbleu train`."), Reads()],
    source: Annotated[
        Path, typer.Option(help="The text that was decoded, without markup, one sentence per line."), Reads()
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="Where to write the new lists."), Writes()],
    quiet: Quiet = False,
) -> None:
    """Rescore the lists."""
    from tunesmith.xbleu.rescore import rescore

    done = rescore(lists, reordering, output, source=source)
    if not quiet:
        errors.print(
            f"{done.candidates:,} candidates of {done.lists:,} sentences: added {', '.join(done.names)}",
            markup=False,
            soft_wrap=True,
        )
