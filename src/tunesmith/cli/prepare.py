"""`tunesmith prepare` (text): Prepare raw text like the training text of a model, or undo that.

Examples:

    tunesmith prepare model --side source < raw.de > tokens.de

    tunesmith prepare model --side target raw.en -o tokens.en

    tunesmith prepare model --side target --invert test.out -o test.txt

Text is tokenized, segmented and cased as it was for training. `--invert` makes readable text of tokens: it
joins them, and restores case by the model's recaser, or by capitalizing sentences of truecased text. Each
line becomes one line. Without files, standard input is read and standard output written.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tunesmith.cli.options import Threads
from tunesmith.file_roles import Reads, Writes

if TYPE_CHECKING:
    from tunesmith.corpus.side import Side


def run(
    model: Annotated[Path, typer.Argument(help="Directory of the model."), Reads()],
    file: Annotated[Path, typer.Argument(help="Text, one sentence per line."), Reads()] = Path("-"),
    *,
    side: Annotated[str, typer.Option(help="source or target.")],
    invert: Annotated[bool, typer.Option("--invert", help="Make readable text of tokens.")] = False,
    output_file: Annotated[Path, typer.Option("-o", "--output", help="Where to write."), Writes()] = Path(
        "-"
    ),
    threads: Threads = None,
) -> None:
    """Prepare text, or undo preparation."""
    from tunesmith.corpus.blocks import read_blocks, write_block
    from tunesmith.files import open_write

    chosen = _side(model, side, invert=invert)
    with open_write(output_file) as stream:
        for block in read_blocks(file):
            write_block(stream, chosen.restore(block) if invert else chosen.prepare(block, threads))


def _side(model: Path, name: str, *, invert: bool) -> Side:
    from tunesmith.decode.preparation import model_side, readable_side

    return readable_side(model, name) if invert else model_side(model, name)
