"""`tunesmith extract words`: List the words that feature templates need, for a model that lacks them.

Example:

    tunesmith extract words model --source train.de --target train.en --alignment train.align

Training does it for new models. Writes into the folder of the model: words that are most often without a link
(`unaligned.source.txt`, `unaligned.target.txt`), the most frequent pairs of linked words (`word-pairs.txt`),
the most frequent words (`frequent.source.txt`, `frequent.target.txt`), and all words by frequency
(`words.source.txt`, `words.target.txt`). Without the files, the text that the model was trained on is read.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.aligned_text import read_aligned_text
from tunesmith.cli.console import errors
from tunesmith.cli.options import Quiet
from tunesmith.file_roles import Reads


def run(
    model: Annotated[Path, typer.Argument(help="Directory of the model."), Reads()],
    source: Annotated[
        Path | None, typer.Option(help="Tokenized source side [default: the model's]."), Reads()
    ] = None,
    target: Annotated[
        Path | None, typer.Option(help="Tokenized target side [default: the model's]."), Reads()
    ] = None,
    alignment: Annotated[
        Path | None,
        typer.Option(help="Word alignments, one line `0-0 1-2` per pair [default: the model's]."),
        Reads(),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Write the lists."""
    from tunesmith.model import Model
    from tunesmith.model.parts.names import ALIGNMENT, SOURCE, TARGET
    from tunesmith.model.parts.word_lists import WORD_LISTS, write_word_lists

    folder = Model.open(model).directory
    files = source or folder / SOURCE, target or folder / TARGET, alignment or folder / ALIGNMENT
    write_word_lists(*read_aligned_text(*files), folder)
    if not quiet:
        errors.print(f"wrote {', '.join(WORD_LISTS)} to {folder}", markup=False)
