"""`tunesmith xbleu lists`: Translate the training text to n-best lists, each sentence without its fold.

Examples:

    tunesmith xbleu lists MODEL_DIR --weights TUNED_DIR/weights.json -o LISTS_DIR

    tunesmith xbleu lists MODEL_DIR --pairs 50000 --max-length 60 -o LISTS_DIR

    tunesmith xbleu lists MODEL_DIR --dense -o LISTS_DIR

    tunesmith xbleu lists MODEL_DIR --source more.de --target more.en --no-jackknife -o LISTS_DIR

    tunesmith xbleu lists MODEL2_DIR --retrain SparseHRMLocal -o LISTS2_DIR

The lists are what `tunesmith xbleu train` learns from. The text is that of the model, which must have been
trained with `--folds`: each sentence is translated by the model without the fold that it is in, so that the
lists are like those of new text. Pairs that are in several folds or have an empty side are left out, and of
equal ones all but the first. Other text, tokenized as the model's, is named by `--source` and `--target`; its
folds are looked up in the training text, or given by `--fold-file`.

With `--retrain`, lists of a model with an attached reordering model leave its scores out, for a training that
starts from it (`xbleu train --start`).

A killed run resumes when the same command is given again.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tunesmith.cli.console import errors, print_json
from tunesmith.cli.fold_options import FoldFlags, OtherSource, OtherTarget, fold_options
from tunesmith.cli.opened_decoding import opened_decoding
from tunesmith.cli.options import Json, Quiet, Threads, WeightsFile
from tunesmith.cli.search_options import Search
from tunesmith.distribute.options import ExecutorOptions
from tunesmith.file_roles import Reads, Writes, own_folder_of
from tunesmith.xbleu.list_options import ListOptions

if TYPE_CHECKING:
    from tunesmith.passes.run import Written
    from tunesmith.xbleu.store import ListStore


def run(
    model: Annotated[Path, typer.Argument(help="Directory of a phrase-based model."), Reads()],
    *,
    output_folder: Annotated[
        Path, typer.Option("-o", "--output", help="Folder of the lists."), Writes(is_folder=own_folder_of)
    ],
    weights: WeightsFile = None,
    source: OtherSource = None,
    target: OtherTarget = None,
    options: ListOptions,
    folds: FoldFlags,
    search: Search,
    where: ExecutorOptions,
    threads: Threads = None,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write n-best lists."""
    from tunesmith.xbleu.lists import write_lists

    jackknife = fold_options(folds, jackknife=options.jackknife)
    with opened_decoding(
        where, search, weights=weights, jackknife=jackknife, threads=threads, quiet=quiet
    ) as decoding:
        written = write_lists(
            model,
            output_folder,
            options=options,
            source=source,
            target=target,
            decoding=decoding,
        )
    if json_:
        print_json(_record(written))
    elif not quiet:
        _show(written)


def _record(written: Written[ListStore]) -> dict[str, Any]:
    counts, text = written.store.counts, written.store.record["text"]
    lists, candidates = max(counts.sentences, 1), max(counts.candidates, 1)
    return {
        "pairs": text["pairs"],
        **asdict(written.report.counts),
        "lists": counts.sentences,
        "missing": counts.missing,
        "too_large": counts.too_large,
        "single": counts.single,
        "candidates": counts.candidates,
        "events": counts.events,
        "events_per_list": counts.events / lists,
        "uses_per_candidate": counts.uses / candidates,
        "bytes": counts.bytes,
        "bytes_per_candidate": counts.bytes_per_candidate,
        "bytes_per_event": counts.bytes_per_event,
        **({"dense_bytes_per_candidate": counts.dense_bytes_per_candidate} if written.store.dense else {}),
        "first_bleu": counts.first_bleu / lists,
        "oracle_bleu": counts.oracle_bleu / lists,
        "files": len(written.store.files),
        "resumed_files": written.report.resumed,
        "decoded": written.report.decoded,
        "fold_seconds": written.report.fold_seconds,
        "search_seconds": written.report.search_seconds,
    }


def _show(written: Written[ListStore]) -> None:
    found = _record(written)
    if written.report.resumed:
        errors.print(f"resumed after {written.report.resumed} of {found['files']} files of an earlier run")
    lines = [
        f"{found['lists']:,} lists of {found['pairs']:,} sentence pairs; {written.report.counts}",
        f"{found['missing']:,} have no translation, {found['too_large']:,} too large a list, and"
        f" {found['single']:,} lists have one candidate",
        f"{found['candidates']:,} candidates with {found['bytes_per_candidate']:.1f} bytes each;"
        f" {found['events_per_list']:.1f} different events per list with {found['bytes_per_event']:.1f} bytes"
        " each",
        f"sentence BLEU {100 * found['first_bleu']:.2f} of the first candidates,"
        f" {100 * found['oracle_bleu']:.2f} of the best",
        f"{found['decoded']:,} sentences in {found['search_seconds']:.1f} s, and fold models in"
        f" {found['fold_seconds']:.1f} s",
    ]
    if written.store.dense:
        shown = f"{found['dense_bytes_per_candidate']:.1f} bytes per candidate"
        lines.insert(3, f"values of {len(written.store.dense)} dense features with {shown}")
    for line in lines:
        errors.print(line, markup=False, soft_wrap=True)
