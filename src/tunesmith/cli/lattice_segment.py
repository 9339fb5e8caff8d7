"""`tunesmith lattice segment`: Write text with compounds split, by the best segmentation of each word.

Example:

    tunesmith lattice segment compounds.bin train.de -o train.split.de

Use it on the training text, so that the model knows the parts of compounds as words.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.options import OutputFile, Splitter, TokenizedText


def run(
    splitter: Splitter,
    text: TokenizedText = Path("-"),
    output_file: OutputFile = Path("-"),
    method: Annotated[
        str, typer.Option(help="log-linear, or frequency (geometric mean of counts).")
    ] = "log-linear",
) -> None:
    """Write text with compounds split."""
    from tunesmith.corpus.blocks import read_blocks, write_block
    from tunesmith.corpus.compounds import check_method, open_splitter
    from tunesmith.files import open_write

    check_method(method)
    trained = open_splitter(splitter)
    with open_write(output_file) as stream:
        for block in read_blocks(text):
            write_block(stream, trained.segment(block, method))
