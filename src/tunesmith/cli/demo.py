"""`tunesmith demo` (start): Tune generated candidate lists with every method.

Example:

    tunesmith demo

    tunesmith demo --write .     (dev.nbest.gz, dev.en, test.nbest.gz, test.en, ... to try the commands on)
"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.console import errors, output, print_json, show_interval
from tunesmith.cli.options import Json, Metric, Seed, Threads


def run(
    metric: Metric = "bleu",
    seed: Seed = 1,
    lists: Annotated[int, typer.Option(help="Number of lists to tune on, and of held-out lists.")] = 400,
    size: Annotated[int, typer.Option(help="Number of candidates per list.")] = 40,
    write: Annotated[Path | None, typer.Option(help="Only write sample files into this folder.")] = None,
    threads: Threads = None,
    json_: Json = False,
) -> None:
    """Tune generated candidate lists with every method."""
    from rich.table import Table

    from tunesmith.demo import DENSE_ONLY, demo_pool, run_demo, write_demo
    from tunesmith.generated import LABEL
    from tunesmith.metrics import get_metric

    if write is not None:
        for path in write_demo(write):
            output.print(str(path), markup=False)
        return
    errors.print(LABEL, markup=False)
    errors.print(f"making {lists} lists to tune on and {lists} held-out ones ...")
    dev, test = demo_pool(lists, size=size), demo_pool(lists, size=size, held_out=True)
    errors.print(f"{dev.n_candidates} + {test.n_candidates} candidates, {dev.features.width} features")
    chosen = get_metric(metric)
    outcomes = []
    for outcome in run_demo(dev, test, chosen, seed=seed, threads=threads):
        errors.print(f"{outcome.name}: {chosen.show(outcome.test)}")
        outcomes.append(outcome)
    if json_:
        print_json([dataclasses.asdict(outcome) for outcome in outcomes])
        return
    table = Table(title=f"{chosen.label} of generated text, 4 references")
    for column in ("method", "features", "dev", "95% interval", "held-out", "95% interval"):
        table.add_column(column, justify="left" if column == "method" else "right")
    for o in outcomes:
        dev_cells = (chosen.show(o.dev), show_interval(o.dev_interval, chosen.unit))
        test_cells = (chosen.show(o.test), show_interval(o.test_interval, chosen.unit))
        table.add_row(o.name, str(o.features or ""), *dev_cells, *test_cells)
    output.print(table)
    output.print(f"{' and '.join(sorted(DENSE_ONLY))} tune the dense features only; the others all of them.")
