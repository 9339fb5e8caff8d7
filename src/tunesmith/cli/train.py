"""`tunesmith train`: Train a translation model from parallel text.

Examples:

    tunesmith train --source train.de --target train.en --kind phrase -o model

    tunesmith train --source train.de --target train.en --alignment train.a --folds 10 --classes 80 -o model

    tunesmith train --source raw.fr --target raw.en --source-language fr --target-language en \\
      --tokenize moses --case lower --kind hiero -o model

The same command goes on after a kill, and redoes only what has changed after a change of options.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from tunesmith.cli.console import output, reporting
from tunesmith.cli.options import Quiet, Threads

if TYPE_CHECKING:
    from tunesmith.model.training import Trained

__all__ = ["run", "show_trained"]


def run(
    source: Annotated[Path, typer.Option(help="Source side, a sentence a line.")],
    target: Annotated[Path, typer.Option(help="Target side, as many lines.")],
    directory: Annotated[Path, typer.Option("-o", "--output", help="The model's directory.")],
    kind: Annotated[str, typer.Option(help="phrase, hiero or itg.")] = "phrase",
    alignment: Annotated[
        Path | None, typer.Option(help="Word alignments of this text, `0-0 1-2` a line [aligned here].")
    ] = None,
    documents: Annotated[
        Path | None, typer.Option(help="A document id a line: folds keep documents together.")
    ] = None,
    source_language: Annotated[str | None, typer.Option(help="For the tokenizer, such as de.")] = None,
    target_language: Annotated[str | None, typer.Option(help="For the tokenizer, such as en.")] = None,
    tokenize: Annotated[str, typer.Option(help="none (text as given) or moses.")] = "none",
    case: Annotated[str, typer.Option(help="keep, lower or true (truecasing, trained here).")] = "keep",
    max_length: Annotated[int, typer.Option(help="Longest sentence, in words, on either side.")] = 80,
    ratio: Annotated[float, typer.Option(help="Largest ratio between the lengths of a pair.")] = 9.0,
    deduplicate: Annotated[bool, typer.Option("--deduplicate", help="Keep each pair once.")] = False,
    aligner: Annotated[str, typer.Option(help="diagonal (fast), hmm or ibm1.")] = "diagonal",
    symmetrize: Annotated[
        str, typer.Option(help="intersection, union, grow-diag, -final, -final-and.")
    ] = "grow-diag-final-and",
    lm_order: Annotated[int, typer.Option(help="Order of the language model, 1 to 6.")] = 5,
    lm_text: Annotated[
        list[Path] | None, typer.Option(help="More target text, prepared as the target side is; repeat.")
    ] = None,
    lm_prune: Annotated[
        list[int] | None, typer.Option(help="Drop n-grams of up to this count; repeat for each order.")
    ] = None,
    skip_marks: Annotated[
        bool,
        typer.Option("--skip-marks", help="Leave `<s>`, `</s>`, `<unk>` in the text out of language models."),
    ] = False,
    bilingual_lm_order: Annotated[
        int, typer.Option(help="Order of a language model over bilingual tokens [0: none].")
    ] = 0,
    class_lm_order: Annotated[
        int, typer.Option(help="Order of language models over the target classes of --classes [0: none].")
    ] = 0,
    max_phrase_length: Annotated[int, typer.Option(help="Longest phrase, in words.")] = 7,
    smoothing: Annotated[
        str | None, typer.Option(help="good-turing or kneser-ney, for phrase probabilities [none].")
    ] = None,
    min_count: Annotated[int, typer.Option(help="Drop phrase pairs seen less often.")] = 0,
    reordering: Annotated[
        list[str] | None,
        typer.Option(help="Reordering models, [hier-mslr-bidirectional-fe]; repeat, or none."),
    ] = None,
    folds: Annotated[int, typer.Option(help="Keep phrase counts by so many folds, for jackknifing.")] = 0,
    grammar: Annotated[str, typer.Option(help="hiero: on-demand (suffix array) or global.")] = "on-demand",
    max_rule_span: Annotated[int, typer.Option(help="hiero: source words that a rule covers.")] = 10,
    loose_phrases: Annotated[
        bool, typer.Option("--loose-phrases", help="hiero: unaligned words at the edges of rules.")
    ] = False,
    itg_form: Annotated[
        str, typer.Option(help="itg: normal (one derivation of an order of phrases) or plain.")
    ] = "normal",
    classes: Annotated[
        list[int] | None, typer.Option(help="Word classes of both sides, such as 80; repeat for more.")
    ] = None,
    threads: Threads = None,
    memory: Annotated[
        str, typer.Option(help="What sorting may hold in memory before it goes to disk.")
    ] = "2G",
    temporary: Annotated[Path | None, typer.Option(help="Folder for scratch files [in the model's].")] = None,
    quiet: Quiet = False,
) -> None:
    """Train a model."""
    from tunesmith.model.training import train as train_model

    with reporting(quiet) as progress:
        trained = train_model(
            source,
            target,
            directory,
            kind=kind,
            progress=progress,
            alignment=alignment,
            documents=documents,
            source_language=source_language,
            target_language=target_language,
            tokenize=tokenize,
            case=case,
            max_length=max_length,
            ratio=ratio,
            deduplicate=deduplicate,
            aligner=aligner,
            symmetrize=symmetrize,
            lm_order=lm_order,
            lm_text=tuple(lm_text or ()),
            lm_prune=tuple(lm_prune or ()),
            skip_marks=skip_marks,
            bilingual_lm_order=bilingual_lm_order,
            class_lm_order=class_lm_order,
            max_phrase_length=max_phrase_length,
            smoothing=smoothing,
            min_count=min_count,
            reordering=tuple(reordering or ("hier-mslr-bidirectional-fe",)),
            folds=folds,
            grammar=grammar,
            max_rule_span=max_rule_span,
            loose_phrases=loose_phrases,
            itg_form=itg_form,
            classes=tuple(classes or ()),
            threads=threads,
            memory=memory,
            temporary=temporary,
        )
    if not quiet:
        show_trained(trained)


def show_trained(trained: Trained) -> None:
    """Print what was built, with sizes and times."""
    from tunesmith.model.steps import show_bytes

    table = Table(
        "step", "seconds", "files", "size", title=f"{trained.manifest.kind} model {trained.directory}"
    )
    for report in trained.steps:
        files = ", ".join(trained.manifest.steps[report.name].outputs)
        taken = "done before" if report.skipped else f"{report.seconds:.1f}"
        table.add_row(report.name, taken, files, show_bytes(report.bytes))
    seconds, size = (sum(getattr(report, name) for report in trained.steps) for name in ("seconds", "bytes"))
    table.add_row("all", f"{seconds:.1f}", "", show_bytes(size))
    output.print(table)
