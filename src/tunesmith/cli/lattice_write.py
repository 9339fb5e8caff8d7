"""`tunesmith lattice write`: Write a lattice in PLF for each sentence, with compounds whole and split.

Example:

    tunesmith lattice write compounds.bin test.de -o test.plf

Arcs have the features LatticePosterior (log probabilities; a path's sum is that of its segmentations) and
LatticeParts (the number of parts). `--values posterior` writes probabilities, for Moses.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.options import OutputFile, Splitter, TokenizedText

__all__ = ["run"]


def run(
    splitter: Splitter,
    text: TokenizedText = Path("-"),
    output_file: OutputFile = Path("-"),
    values: Annotated[str, typer.Option(help="What arcs have: named (features) or posterior.")] = "named",
    threshold: Annotated[float, typer.Option(help="Leave out segmentations that are less probable.")] = 0.02,
    limit: Annotated[int, typer.Option(help="Segmentations of a word at most, beside the word itself.")] = 4,
) -> None:
    """Write lattices of segmentations."""
    from tunesmith.corpus.blocks import read_blocks, write_block
    from tunesmith.corpus.compounds import LatticeWriter, open_splitter
    from tunesmith.errors import InputError
    from tunesmith.files import check_outputs, open_write

    check_outputs([output_file], [splitter, text])
    writer = LatticeWriter(open_splitter(splitter), values, threshold, limit)
    line = 1
    with open_write(output_file) as stream:
        for block in read_blocks(text):
            try:
                write_block(stream, writer.lattices(block, first_line=line))
            except InputError as error:
                raise InputError(error.message, path=text, line=error.line) from None
            line += len(block)
