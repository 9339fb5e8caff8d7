"""`tunesmith eval` (text): Score an output with any metrics.

Example:

    tunesmith eval test.out --references test.en --metrics bleu,chrf,ter

    tunesmith eval test.out --references test.en --model model
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.console import errors, output, print_json, show_interval, warn
from tunesmith.cli.options import Json, Threads
from tunesmith.metrics.base import show_score


def run(
    hypotheses: Annotated[
        Path, typer.Argument(help="Output to score, one sentence per line; - is standard input.")
    ],
    references: Annotated[
        list[Path], typer.Option(help="Reference, one sentence per line; may be repeated.")
    ],
    metrics: Annotated[str, typer.Option(help="Metrics, separated by commas.")] = "bleu,chrf,ter",
    resamples: Annotated[
        int, typer.Option(help="Number of bootstrap samples for the interval; 0 omits it.")
    ] = 1000,
    confidence: Annotated[float, typer.Option(help="Confidence level of the interval.")] = 0.95,
    seed: Annotated[int, typer.Option(help="Random seed of the bootstrap.")] = 12345,
    threads: Threads = None,
    model: Annotated[
        Path | None,
        typer.Option(
            help="Directory of the model that wrote the output: report references that it was trained on."
        ),
    ] = None,
    json_: Json = False,
) -> None:
    """Score an output."""
    from rich.table import Table

    from tunesmith.files import read_lines
    from tunesmith.metrics import evaluate

    correct = [read_lines(path) for path in references]
    if model is not None:
        _report_overlap(model, correct)
    results = evaluate(
        metrics,
        read_lines(hypotheses),
        correct,
        resamples=resamples,
        confidence=confidence,
        seed=seed,
        threads=threads,
    )
    if json_:
        print_json([result.to_dict() for result in results])
        return
    table = Table("metric", "score", f"{100 * confidence:g}% interval")
    for result in results:
        interval = "" if result.interval is None else show_interval(result.interval, result.unit)
        table.add_row(result.metric, show_score(result.score, result.unit), interval)
    output.print(table)
    for result in results:
        output.print(result.signature, soft_wrap=True, markup=False)


def _report_overlap(model: Path, references: list[list[str]]) -> None:
    from tunesmith.model.manifest import Manifest
    from tunesmith.model.seen import Seen, overlap_messages

    Manifest.read(model)  # an error if it is no model
    seen = Seen.of_model(model)
    if seen is None:
        errors.print(
            f"{model} does not record what it was trained on: overlap with it is unknown", markup=False
        )
    for message in overlap_messages(seen, references=references):
        warn(message)
