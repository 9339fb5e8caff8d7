"""`tunesmith extract grammars`: Extract the rules that can translate each sentence.

Examples:

    tunesmith extract grammars --index model.suffix --input dev.de -o dev.grammars > dev.sgm

    tunesmith extract grammars --model hiero --input dev.de -o dev.grammars > dev.sgm

Writes dev.grammars/grammar.0.gz, ..., and prints the input in cdec's format, one line
`<seg id="0" grammar="dev.grammars/grammar.0.gz">...</seg>` per sentence. With `--model` the rules are the
same that `tunesmith decode` extracts on demand.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from tunesmith.cli.console import errors
from tunesmith.cli.flags import Given
from tunesmith.cli.options import Quiet, Threads
from tunesmith.errors import OptionError
from tunesmith.extract.rules import RuleOptions, check_format
from tunesmith.extract.suffix_array import GrammarOptions, SuffixIndex


def run(
    *,
    input_file: Annotated[
        Path, typer.Option("--input", help="Tokenized text, one sentence per line; `-` is stdin.")
    ],
    output_folder: Annotated[Path, typer.Option("-o", "--output", help="Folder of the grammars.")],
    index: Annotated[Path | None, typer.Option(help="Index written by `tunesmith extract index`.")] = None,
    model: Annotated[
        Path | None,
        typer.Option(help="Directory of a model, in place of --index; its limits are then the defaults."),
    ] = None,
    format_: Annotated[str, typer.Option("--format", help="cdec or moses.")] = "cdec",
    compression: Annotated[str, typer.Option(help="Suffix of the files: gz, zst, ..., or none.")] = "gz",
    limits: Annotated[dict[str, Any], Given(RuleOptions, omit=("adjacent_gaps", "require_link", "counts"))],
    options: Annotated[dict[str, Any], Given(GrammarOptions)],
    exclude: Annotated[
        Path | None,
        typer.Option(help="Sentence pairs to exclude: one line of pair numbers, from 0, per input sentence."),
    ] = None,
    folds: Annotated[
        Path | None, typer.Option(help="Fold numbers, one line per sentence pair of the index.")
    ] = None,
    exclude_fold: Annotated[int | None, typer.Option(help="Exclude the sentence pairs of this fold.")] = None,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Extract a grammar for each sentence."""
    from tunesmith.extract.folds import fold_mask
    from tunesmith.extract.write_grammars import read_exclusions, write_grammars
    from tunesmith.files import read_lines

    opened, usual = _opened(index, model)
    chosen = replace(usual, rules=replace(usual.rules, **limits), **options)
    if (folds is None) != (exclude_fold is None):
        raise OptionError("--exclude-fold and --folds need each other")
    lines = read_lines(input_file)
    left_out: Any = ()
    if folds is not None and exclude_fold is not None:
        left_out = fold_mask(folds, exclude_fold, len(opened))
    segments = write_grammars(
        opened,
        lines,
        output_folder,
        chosen,
        format_=check_format(format_),
        compression=compression,
        exclude=left_out,
        exclude_each=None if exclude is None else read_exclusions(exclude, len(lines), len(opened)),
        threads=threads,
        progress=None if quiet else lambda line: errors.print(line, markup=False),
    )
    for segment in segments:
        typer.echo(segment)


def _opened(index: Path | None, model: Path | None) -> tuple[SuffixIndex, GrammarOptions]:
    """Return the index, and the default extraction options."""
    if index is not None and model is None:
        return SuffixIndex.open(index), GrammarOptions()
    if model is None or index is not None:
        raise OptionError("expected --index FILE, or --model DIRECTORY for the index of a model")
    from tunesmith.model import Model

    return Model.open(model).rule_index()
