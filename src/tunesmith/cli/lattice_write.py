"""`tunesmith lattice write`: Write one PLF lattice per sentence, with compounds whole and split.

Example:

    tunesmith lattice write compounds.bin test.de -o test.plf

Arcs have the features LatticePosterior (log probability; the sum over a path is that of its segmentations)
and LatticeParts (number of parts). `--values posterior` writes probabilities, for Moses.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from tunesmith.cli.flags import Given
from tunesmith.cli.options import OutputFile, Splitter, TokenizedText
from tunesmith.corpus.compounds.plf import LatticeWriter


def run(
    splitter: Splitter,
    *,
    text: TokenizedText = Path("-"),
    output_file: OutputFile = Path("-"),
    options: Annotated[dict[str, Any], Given(LatticeWriter)],
) -> None:
    """Write lattices of segmentations."""
    from tunesmith.corpus.blocks import read_blocks, write_block
    from tunesmith.corpus.compounds import open_splitter
    from tunesmith.errors import InputError
    from tunesmith.files import open_write

    writer = LatticeWriter(open_splitter(splitter), **options)
    line = 1
    with open_write(output_file) as stream:
        for block in read_blocks(text):
            try:
                write_block(stream, writer.lattices(block, first_line=line))
            except InputError as error:
                raise InputError(error.message, path=text, line=error.line) from None
            line += len(block)
