"""`tunesmith xbleu forests`: Translate the training text to forests, each sentence without its fold.

Examples:

    tunesmith xbleu forests MODEL_DIR --features local --weights TUNED_DIR/weights.json -o FORESTS_DIR

    tunesmith xbleu forests MODEL_DIR --features biphrases --pairs 10000 --density 60 -o FORESTS_DIR

    tunesmith xbleu train FORESTS_DIR --features biphrases -o reordering

`tunesmith xbleu train` learns from forests in place of lists; they have more translations. Derivations are
scored by linear BLEU, because sentence BLEU is not a sum over phrases. Forests for `local` serve that feature
set only; those for any other serve all. Text, folds and `--source`, `--target` are as in
`tunesmith xbleu lists`.

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
from tunesmith.xbleu.forest_options import ForestOptions

if TYPE_CHECKING:
    from tunesmith.passes.run import Written
    from tunesmith.xbleu.forest_store import ForestStore


def run(
    model: Annotated[Path, typer.Argument(help="Directory of a phrase-based model."), Reads()],
    *,
    output_folder: Annotated[
        Path, typer.Option("-o", "--output", help="Folder of the forests."), Writes(is_folder=own_folder_of)
    ],
    weights: WeightsFile = None,
    source: OtherSource = None,
    target: OtherTarget = None,
    options: ForestOptions,
    folds: FoldFlags,
    search: Search,
    where: ExecutorOptions,
    threads: Threads = None,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write forests."""
    from tunesmith.xbleu.forests import write_forests

    jackknife = fold_options(folds, jackknife=options.jackknife)
    with opened_decoding(
        where, search, weights=weights, jackknife=jackknife, threads=threads, quiet=quiet
    ) as decoding:
        written = write_forests(
            model,
            output_folder,
            options,
            source=source,
            target=target,
            decoding=decoding,
        )
    if json_:
        print_json(_record(written))
    elif not quiet:
        _show(written)


def _record(written: Written[ForestStore]) -> dict[str, Any]:
    from tunesmith.metrics import Bleu

    counts, report = written.store.counts, written.report
    forests = max(counts.sentences, 1)
    return {
        "pairs": written.store.record["text"]["pairs"],
        **asdict(report.counts),
        "forests": counts.sentences,
        "missing": counts.missing,
        "too_large": counts.too_large,
        "single": counts.single,
        "edges": counts.edges,
        "nodes_per_forest": counts.nodes / forests,
        "edges_per_forest": counts.edges / forests,
        "events_per_forest": counts.events / forests,
        "bytes": counts.bytes,
        "bytes_per_forest": counts.bytes / forests,
        "log_derivations": counts.log_derivations / forests,
        "first_bleu": float(Bleu().score(counts.statistics)),
        "files": len(written.store.files),
        "resumed_files": report.resumed,
        "decoded": report.decoded,
        "fold_seconds": report.fold_seconds,
        "search_seconds": report.search_seconds,
    }


def _show(written: Written[ForestStore]) -> None:
    found, report = _record(written), written.report
    if report.resumed:
        errors.print(f"resumed after {report.resumed} of {found['files']} files of an earlier run")
    lines = (
        f"{found['forests']:,} forests of {found['pairs']:,} sentence pairs; {report.counts}",
        f"{found['missing']:,} have no translation, {found['too_large']:,} too large a forest, and"
        f" {found['single']:,} forests have one derivation",
        f"{found['edges_per_forest']:.0f} edges, {found['nodes_per_forest']:.0f} nodes and"
        f" {found['events_per_forest']:.0f} different events per forest with"
        f" {found['bytes_per_forest']:,.0f} bytes; the mean log of the number of derivations is"
        f" {found['log_derivations']:.1f}",
        f"BLEU {100 * found['first_bleu']:.2f} of the best derivations",
        f"{found['decoded']:,} sentences in {found['search_seconds']:.1f} s, and fold models in"
        f" {found['fold_seconds']:.1f} s",
    )
    for line in lines:
        errors.print(line, markup=False, soft_wrap=True)
