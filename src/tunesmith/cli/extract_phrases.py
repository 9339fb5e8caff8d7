"""`tunesmith extract phrases`: Learn phrase pairs and reordering from aligned text.

Examples:

    tunesmith extract phrases --source train.de --target train.en --alignment train.align -o table.gz

    tunesmith extract phrases --source train.de --target train.en --alignment train.align -o table.gz \\
      --reordering hier-mslr-bidirectional-fe --reordering-output reordering.gz

    tunesmith extract phrases --extract extract.sorted.gz --lexicon lex -o table.gz

The third one scores the phrase pairs that Moses extracted, with its word translation probabilities `lex.e2f`
and `lex.f2e`.

The tables are Moses' text tables: `source ||| target ||| p(f|e) lex(f|e) p(e|f) lex(e|f) ||| ...`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from tunesmith.cli.console import errors
from tunesmith.cli.flags import Given
from tunesmith.cli.options import Quiet, Threads
from tunesmith.cli.scratch_folder import scratch_folder
from tunesmith.errors import InputError, OptionError
from tunesmith.extract.phrases import CountingOptions
from tunesmith.extract.scoring import ScoringOptions
from tunesmith.file_roles import InFolder, Reads, Writes, with_suffixes


def run(
    *,
    source: Annotated[
        Path | None, typer.Option(help="Tokenized source side, one sentence per line."), Reads()
    ] = None,
    target: Annotated[Path | None, typer.Option(help="Tokenized target side."), Reads()] = None,
    alignment: Annotated[
        Path | None, typer.Option(help="Word alignments, one line `0-0 1-2` per pair."), Reads()
    ] = None,
    extract: Annotated[
        Path | None,
        typer.Option(help="Phrase pairs that Moses extracted, in place of text; sorted or not."),
        Reads(),
    ] = None,
    extract_orientations: Annotated[
        Path | None,
        typer.Option(help="Their orientations, Moses' extract.o, in the order of --extract."),
        Reads(),
    ] = None,
    lexicon: Annotated[
        Path | None,
        typer.Option(
            metavar="PREFIX", help="Moses' lexicon, PREFIX.e2f and PREFIX.f2e [default: from the text]."
        ),
        Reads(with_suffixes("e2f", "f2e")),
    ] = None,
    instance_weights: Annotated[
        Path | None, typer.Option(help="Weights of sentence pairs, one positive number per line."), Reads()
    ] = None,
    output: Annotated[
        Path, typer.Option("-o", "--output", help="Phrase table to write; - is stdout."), Writes()
    ],
    max_length: Annotated[int, typer.Option(help="Maximum phrase length in words per side; at most 8.")] = 7,
    counting: Annotated[dict[str, Any], Given(CountingOptions)],
    options: Annotated[dict[str, Any], Given(ScoringOptions)],
    reordering_output: Annotated[
        list[Path] | None,
        typer.Option(help="Reordering table to write; repeat once per --reordering, in the same order."),
        Writes(),
    ] = None,
    lexicon_output: Annotated[
        Path | None,
        typer.Option(metavar="PREFIX", help="Write the lexicon as PREFIX.e2f and PREFIX.f2e."),
        Writes(with_suffixes("e2f", "f2e")),
    ] = None,
    counts_output: Annotated[
        Path | None, typer.Option(help="Where to write the counts by fold (binary)."), Writes()
    ] = None,
    table_output: Annotated[
        Path | None, typer.Option(help="Where to write the binary table."), Writes()
    ] = None,
    fold_file: Annotated[
        Path | None, typer.Option(help="Fold numbers, one line per sentence pair."), Reads()
    ] = None,
    exclude_fold: Annotated[
        int | None, typer.Option(help="Score without the sentences of this fold.")
    ] = None,
    memory: Annotated[
        str, typer.Option(help="Memory for phrase pairs, such as 500M or 2G; the rest goes to disk.")
    ] = "2G",
    temporary: Annotated[
        Path | None, typer.Option(help="Folder of temporary files [default: that of an output]."), InFolder()
    ] = None,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Learn phrase pairs and reordering from aligned text."""
    from tunesmith.cli.extract_inputs import ExtractionFiles, blaming, read_extraction
    from tunesmith.extract import Lexicon, build_table, count_phrases
    from tunesmith.extract.phrases import check_events_used, check_max_length
    from tunesmith.memory import parse_bytes
    from tunesmith.tables import write_moses_table
    from tunesmith.tables.reordering import ReorderingSpec
    from tunesmith.threads import thread_count

    report = _reporter(quiet)
    check_max_length(max_length)
    room = parse_bytes(memory)
    options["reordering"] = _models(options, reordering_output, table_output)
    given = ExtractionFiles(
        source, target, alignment, extract, extract_orientations, lexicon, instance_weights, fold_file
    )
    given.check(lexicon_output, exclude_fold)
    if extract is not None and counting:
        raise OptionError("--orientation-events is for text; phrase pairs of --extract were counted before")
    events = CountingOptions(**counting).orientation_events
    if counting and counts_output is None:  # the file of counts has orientations for models of any kind
        check_events_used("phrases", events, ReorderingSpec.listed(options["reordering"]))
    thread_count(threads)
    beside = temporary or _folder_of(
        counts_output, table_output, *(reordering_output or []), output, lexicon_output
    )
    if temporary is not None and not temporary.is_dir():
        raise InputError("the folder for temporary files does not exist", path=temporary)
    found = read_extraction(given, options["reordering"], exclude_fold, threads)
    if isinstance(found.lexicon, Lexicon):
        report(f"lexicon: {len(found.lexicon.counts)} word pairs")
        if lexicon_output is not None:
            found.lexicon.write_moses(lexicon_output, exclude_fold=exclude_fold)
    with scratch_folder(beside) as folder:
        with blaming(extract):
            counts = count_phrases(
                found.bitext,
                found.alignments,
                path=counts_output or folder / "counts",
                max_length=max_length,
                folds=found.folds,
                weights=found.weights,
                orientations=found.orientations,
                **counting,
                memory=room,
                temporary=folder,
                threads=threads,
                progress=report,
            )
        table = build_table(
            counts,
            found.lexicon,
            table_output or folder / "table",
            exclude_fold=exclude_fold,
            threads=threads,
            **options,
        )
        report(f"scored {len(table)} pairs")
        write_moses_table(table, output, reordering_output or None)


def _folder_of(*outputs: Path | None) -> Path | None:
    """Return the folder of the first output that is a file."""
    named = (path for path in outputs if path is not None and str(path) != "-")
    return next((path.absolute().parent for path in named if path.is_file() or not path.exists()), None)


def _reporter(quiet: bool) -> Callable[[str], None]:
    return (lambda line: None) if quiet else (lambda line: errors.print(line, markup=False))


def _models(options: dict[str, Any], outputs: list[Path] | None, table: Path | None) -> tuple[str, ...]:
    """Return the reordering models that are written."""
    models = ScoringOptions(**options).reordering
    if outputs and len(outputs) != len(models):
        raise OptionError(f"--reordering-output: {len(outputs)} files for {len(models)} reordering models")
    if "reordering" in options and models and not outputs and table is None:
        raise OptionError("--reordering needs --reordering-output or --table-output")
    return models if outputs or table is not None else ()
