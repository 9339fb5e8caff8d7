"""`tunesmith xbleu train`: Train a sparse reordering model for expected BLEU on n-best lists or forests.

Examples:

    tunesmith xbleu lists MODEL_DIR -o lists

    tunesmith xbleu train lists --features local -o reordering

    tunesmith xbleu train dense_lists --features local --joint -o reordering

    tunesmith xbleu train lists --features biphrases --objective cll --gamma 2 -o likelihood

    tunesmith xbleu train lists2 --features local --start reordering --with lists -o reordering2

It learns from lists of `xbleu lists` or from forests of `xbleu forests`. Word lists and classes that the
feature set needs and the model lacks are made from its training text. Training stops when the objective on
held-out lists has not risen for --patience epochs, and keeps the weights of the best epoch. A killed training
resumes when the same command is given again.

With --shards, parts of the lists are trained on separately, in processes of this machine or by Spark, and
their weights averaged after each epoch.

With --start, training begins with the weights, word lists and held-out sentences of an earlier model of the
same features. If the lists were made with that model attached (`xbleu lists --retrain NAME`), the weights of
its orientations in the decoder are multiplied in.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tunesmith.cli.console import errors, output, print_json, reporting
from tunesmith.cli.options import Json, Quiet
from tunesmith.cli.tune_options import resumable
from tunesmith.distribute.options import ExecutorOptions
from tunesmith.errors import OptionError
from tunesmith.file_roles import Reads, Writes, own_folder_of
from tunesmith.xbleu.training_options import ReorderingOptions

if TYPE_CHECKING:
    from tunesmith.xbleu.train import ReorderingResult


def run(
    store: Annotated[
        Path,
        typer.Argument(help="Folder of lists or forests, written by `xbleu lists` or `xbleu forests`."),
        Reads(),
    ],
    *,
    output_folder: Annotated[
        Path,
        typer.Option("-o", "--output", help="Folder of the reordering model."),
        Writes(is_folder=own_folder_of),
    ],
    model: Annotated[
        Path | None,
        typer.Option(help="Directory of the model that made the lists [default: its path at that time]."),
        Reads(),
    ] = None,
    start: Annotated[
        Path | None,
        typer.Option(
            help="Reordering model to start from. Its gamma is kept unless --gamma is given, or the lists"
            " were made with decoder weights of another scale."
        ),
        Reads(),
    ] = None,
    others: Annotated[
        list[Path] | None,
        typer.Option("--with", help="Further folder of lists to train on, such as that of an earlier round."),
        Reads(),
    ] = None,
    options: ReorderingOptions,
    where: ExecutorOptions,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Train a reordering model."""
    from tunesmith.xbleu.train import train_reordering

    if where.executor != "local" and options.shards == 1:
        raise OptionError("{} spark trains on shards; give their number by {}", "executor", "shards")
    with resumable(), where.opened(None) as executor, reporting(quiet, live=False) as progress:
        result = train_reordering(
            store,
            output_folder,
            options,
            progress,
            model=model,
            start=start,
            others=others or (),
            executor=executor,
        )
    if result.resumed_after and not quiet:
        errors.print(f"resumed after epoch {result.resumed_after} of an earlier run")
    if json_:
        print_json(result.to_dict())
    else:
        _print_result(result)


def _print_result(result: ReorderingResult) -> None:
    from rich.table import Table

    record = result.model.record
    types = Table(title=f"{result.model.template.name}: types of features")
    for column in ("", "possible", "seen"):
        types.add_column(column, justify="right")
    for row in record["types"]:
        types.add_row(row["part"], _count(row["possible"]), _count(row["seen"]))
    limited = all(row["possible"] for row in record["types"])
    possible = sum(row["possible"] for row in record["types"]) if limited else None
    types.add_row("all", _count(possible), _count(sum(row["seen"] for row in record["types"])))
    output.print(types)

    before, after = (
        record["start"],
        record["history"][record["epoch"] - 1],
    )
    is_linear = "linear_bleu" in record
    noun, gain, best = (
        ("forests", "linear", "best derivations") if is_linear else ("lists", "sentence", "first candidates")
    )
    expected = "expected_unclipped_bleu" if is_linear else "expected_bleu"
    statistics = "BLEU of expected statistics" + (", not clipped" if is_linear else "")
    table = Table(title=f"{record['lists']['held_out']} held-out {noun}")
    for column in ("", "before", f"after epoch {record['epoch']}"):
        table.add_column(column, justify="right")
    objective = f"expected {gain} BLEU" if record["objective"] == "xbleu" else "log-likelihood"
    unit = 100.0 if record["objective"] == "xbleu" else 1.0
    for name, key, factor in (
        (objective, "held_out", unit),
        (f"BLEU of {best}", "bleu", 100.0),
        (f"length of {best}", "length_ratio", 1.0),
        (statistics, expected, 100.0),
        (f"entropy, of even {noun}", "entropy", 1.0),
    ):
        table.add_row(name, f"{factor * before[key]:.3f}", f"{factor * after[key]:.3f}")
    output.print(table)
    if "start_decoder_weights" in record:
        weights = Table(title="weights of the decoder")
        for column in ("", "start", "trained"):
            weights.add_column(column, justify="right")
        for name, start in record["start_decoder_weights"].items():
            weights.add_row(name, f"{start:.4f}", f"{record['decoder_weights'][name]:.4f}")
        output.print(weights)
    lists = record["lists"]
    output.print(
        f"{lists['training']} training {noun} with {lists['events_per_list']:.1f} events each;"
        f" {record['features_with_weight']} features have weights; gamma {record['gamma']:.4g}, entropy"
        f" {record['entropy']:.2f} before training; {len(record['history'])} epochs{_ending(record)},"
        f" {result.seconds:.1f} s",
        markup=False,
        soft_wrap=True,
    )
    output.print(f"reordering model: {result.model.directory}", markup=False, soft_wrap=True)


def _ending(record: dict[str, Any]) -> str:
    """Return why the training ended, in brackets; nothing if an earlier version has not recorded it."""
    from tunesmith.xbleu.stopping import StoppingRule

    if "ended" not in record:
        return ""
    options = record["options"]
    rule = StoppingRule(options["epochs"], options.get("patience", 0), options["tolerance"])
    return f" ({rule.said(record['ended'])})"


def _count(value: Any) -> str:
    return "not limited" if value is None else f"{value:,}"
