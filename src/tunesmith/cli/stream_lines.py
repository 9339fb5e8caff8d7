"""`tunesmith stream lines`: Write a tuning set as lines for `stream map`, shard by shard.

Examples:

    tunesmith stream lines --source dev.de --references dev.en --shards 20 -o dev.lines

    tunesmith stream lines --source dev.de --references dev.en --shards 20 --per-shard -o dev.shards

A line has everything about a sentence: its shard, source, references and rules; files of rules that the
source names are put into the lines. Shards are those of `tune online` with the same `--shards` and `--seed`.
For Hadoop, `--per-shard` writes a gzip file per shard into a folder, so that each comes to one mapper whole.
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

import typer

from tunesmith.cli.options import References, Seed
from tunesmith.cli.search_options import InputFormat
from tunesmith.cli.tune_options import require_given
from tunesmith.errors import InputError, OptionError
from tunesmith.file_roles import Reads, Writes
from tunesmith.folders import make_folder
from tunesmith.model.jackknife.options import JackknifeOptions


def run(
    model_dir: Annotated[
        Path | None, typer.Argument(help="Directory of the model, whose folds --jackknife looks up."), Reads()
    ] = None,
    *,
    source: Annotated[Path, typer.Option(help="Sentences of the tuning set, as for `decode`."), Reads()],
    references: References = None,
    output_file: Annotated[
        Path,
        typer.Option("-o", "--output", help="Where to write; - is standard output."),
        Writes(is_folder=lambda value, values: values["per_shard"]),
    ] = Path("-"),
    shards: Annotated[int, typer.Option(help="Number of shards. The result depends on it.")] = 20,
    seed: Seed = 1,
    shuffle: Annotated[
        bool,
        typer.Option(
            help="Assign sentences to shards at random; without it, shards are contiguous parts of the file."
        ),
    ] = True,
    per_shard: Annotated[
        bool, typer.Option("--per-shard", help="The output is a folder with a gzip file per shard.")
    ] = False,
    input_format: InputFormat = None,
    jackknife: JackknifeOptions,
) -> None:
    """Write lines."""
    from tunesmith.files import open_write
    from tunesmith.options import check_seed
    from tunesmith.systems.model_setup import ModelSetup
    from tunesmith.tuning.streaming.lines import shard_key, write_lines

    check_seed(seed)
    require_given(**{"--references FILE": references})
    assert references is not None
    folds = None
    if jackknife.jackknife:
        if model_dir is None:
            raise OptionError("{} needs the directory of the model", "jackknife")
        folds = ModelSetup.of(model_dir, source, references, jackknife=jackknife).folds()
    how: dict[str, Any] = {"shards": shards, "seed": seed, "folds": folds, "shuffle": shuffle}
    lines = write_lines(source, references, input_format=input_format, outputs=[output_file], **how)
    if not per_shard:
        with open_write(output_file) as stream:
            stream.writelines(f"{line.text()}\n".encode() for line in lines)
        return
    if str(output_file) == "-":
        raise OptionError("{} needs a folder as {}", "per_shard", "output")
    make_folder(output_file)
    if any(output_file.iterdir()):
        raise InputError(
            "has files already, which would count as shards; empty it or give another folder",
            path=output_file,
        )
    for shard, own in groupby(lines, key=lambda line: line.shard):
        with open_write(output_file / f"{shard_key(shard)}.gz") as stream:
            stream.writelines(f"{line.text()}\n".encode() for line in own)
