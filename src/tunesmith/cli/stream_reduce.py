"""`tunesmith stream reduce`: Mix the weights of all shards of an epoch; the reducer of a stream.

Examples:

    sort learned | tunesmith stream reduce --weights weights.0 -o weights.1

    tunesmith decode MODEL_DIR --weights weights.1 -i test.de -o test.out

Reads the sorted output of all mappers, which began with `--weights`, and writes the mean of the weights, with
a record of how to decode with them and of what the next epoch needs. A file is mapped, or JSON if its
name ends with .json; standard output is JSON.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.options import Quiet, Threads
from tunesmith.file_roles import Reads, Writes
from tunesmith.tuning.online.mixing import MixingOptions


def run(
    *,
    weights: Annotated[Path, typer.Option(help="The weights that all mappers began with."), Reads()],
    output_file: Annotated[
        Path,
        typer.Option("-o", "--output", help="Where to write; - is standard output."),
        Writes(weights=True),
    ] = Path("-"),
    options: MixingOptions,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Reduce the weights of shards to their mean."""
    from tunesmith.errors import OptionError
    from tunesmith.tuning.streaming.counters import Counters
    from tunesmith.tuning.streaming.reading import decoded_lines
    from tunesmith.tuning.streaming.reducer import reduce_lines
    from tunesmith.weights.writing import form_of, write_store

    form = "json" if str(output_file) == "-" else form_of(output_file)
    if form == "lines":
        raise OptionError("{} cannot end with .txt: lines do not keep the record", "output")
    lines = decoded_lines(sys.stdin.buffer)
    mixed = reduce_lines(lines, weights, options, Counters(None if quiet else sys.stderr), threads)
    write_store(mixed, output_file, form)
