"""`tunesmith extract grammars`: Extract the rules that can translate each sentence.

Examples:

    tunesmith extract grammars --index model.suffix --input dev.de -o dev.grammars > dev.sgm

    tunesmith extract grammars --model hiero --input dev.de -o dev.grammars > dev.sgm

    tunesmith extract grammars --model hiero --input drawn.source --jackknife --fold-file drawn.folds \\
      -o drawn.grammars > drawn.sgm

Writes dev.grammars/grammar.0.gz, ..., and prints the input in cdec's format, one line
`<seg id="0" grammar="dev.grammars/grammar.0.gz">...</seg>` per sentence. With `--model` the rules are the
same that `tunesmith decode` extracts on demand. `--mapped` and `--jackknife` write one file of all grammars
in place of a folder, and lines `<seg id="0" grammar="dev.grammars#0">...</seg>`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
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
from tunesmith.file_roles import Reads, Writes, named_like


def run(
    *,
    input_file: Annotated[
        Path,
        typer.Option("-i", "--input", help="Tokenized text, one sentence per line; `-` is stdin."),
        Reads(),
    ],
    output: Annotated[
        Path,
        typer.Option("-o", "--output", help="Folder (or mapped file) of the grammars."),
        Writes(
            is_folder=lambda value, values: not (values["mapped"] or values["jackknife"]),
            replaces=named_like(r"grammar\.\d+(\.\w+)?"),
        ),
    ],
    index: Annotated[
        Path | None, typer.Option(help="Index written by `tunesmith extract index`."), Reads()
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option(help="Directory of a model, in place of --index; its limits are then the defaults."),
        Reads(),
    ] = None,
    format_: Annotated[str, typer.Option("--format", help="cdec or moses.")] = "cdec",
    compression: Annotated[str, typer.Option(help="Suffix of the files: gz, zst, ..., or none.")] = "gz",
    limits: Annotated[dict[str, Any], Given(RuleOptions, omit=("adjacent_gaps", "require_link", "counts"))],
    options: Annotated[dict[str, Any], Given(GrammarOptions)],
    exclude: Annotated[
        Path | None,
        typer.Option(help="Sentence pairs to exclude: one line of pair numbers, from 0, per input sentence."),
        Reads(),
    ] = None,
    fold_file: Annotated[
        Path | None,
        typer.Option(
            help="Fold numbers: with --exclude-fold one line per sentence pair of the index, with --jackknife"
            " one per sentence [default: looked up in the training text]."
        ),
        Reads(),
    ] = None,
    exclude_fold: Annotated[int | None, typer.Option(help="Exclude the sentence pairs of this fold.")] = None,
    mapped: Annotated[
        bool,
        typer.Option("--mapped", help="Write one mapped file, which decoders read in milliseconds."),
    ] = False,
    jackknife: Annotated[
        bool,
        typer.Option(
            "--jackknife/--no-jackknife",
            help="Input is training text of --model: exclude the fold of each sentence from its rules. Writes"
            " a mapped file.",
        ),
    ] = False,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Extract a grammar for each sentence."""
    from tunesmith.extract.folds import fold_mask
    from tunesmith.extract.write_grammars import (
        read_exclusions,
        seg_line,
        write_grammar_file,
        write_grammars,
    )
    from tunesmith.files import read_lines

    opened, usual = _opened(index, model)
    chosen = replace(usual, rules=replace(usual.rules, **limits), **options)
    if (mapped or jackknife) and (format_, compression) != ("cdec", "gz"):
        raise OptionError("a mapped file has a format of its own: omit --format and --compression")
    lines = read_lines(input_file)
    say = None if quiet else lambda line: errors.print(line, markup=False)
    if jackknife:
        if model is None or exclude is not None or exclude_fold is not None:
            raise OptionError("--jackknife needs --model, without --exclude and --exclude-fold")
        for number, place in enumerate(_jackknifed(model, lines, fold_file, output, chosen, threads, say)):
            typer.echo(seg_line(number, f"{output}#{place}", lines[number]))
        return
    if (fold_file is None) != (exclude_fold is None):
        raise OptionError("--exclude-fold and --fold-file need each other")
    left_out: Any = ()
    if fold_file is not None and exclude_fold is not None:
        left_out = fold_mask(fold_file, exclude_fold, len(opened))
    shared: Any = {
        "exclude": left_out,
        "exclude_each": None if exclude is None else read_exclusions(exclude, len(lines), len(opened)),
        "threads": threads,
        "progress": say,
    }
    if mapped:
        write_grammar_file(opened, lines, output, chosen, **shared)
        segments: Iterable[str] = (
            seg_line(number, f"{output}#{number}", line) for number, line in enumerate(lines)
        )
    else:
        format_ = check_format(format_)
        segments = write_grammars(
            opened, lines, output, chosen, format_=format_, compression=compression, **shared
        )
    for segment in segments:
        typer.echo(segment)


def _jackknifed(
    model: Path,
    lines: list[str],
    fold_file: Path | None,
    output: Path,
    options: GrammarOptions,
    threads: int | None,
    say: Callable[[str], None] | None,
) -> list[int]:
    """Write the grammars without folds; return the number of each sentence's grammar."""
    from tunesmith.decode.jackknife import input_folds
    from tunesmith.model.jackknife import FoldModels, JackknifeOptions
    from tunesmith.model.jackknife.grammars import write_fold_grammars

    chosen = JackknifeOptions(jackknife=True, fold_file=fold_file, jackknife_lm=False)
    models = FoldModels.of(model, chosen, threads=threads)
    found = input_folds(models, chosen, lines)
    silent = say or (lambda line: None)
    return list(map(int, write_fold_grammars(models, lines, found, output, options, progress=silent)))


def _opened(index: Path | None, model: Path | None) -> tuple[SuffixIndex, GrammarOptions]:
    """Return the index, and the default extraction options."""
    if index is not None and model is None:
        return SuffixIndex.open(index), GrammarOptions()
    if model is None or index is not None:
        raise OptionError("expected --index FILE, or --model DIRECTORY for the index of a model")
    from tunesmith.model import Model

    return Model.open(model).rule_index()
