"""`tunesmith compare` (text): Test systems against the first one.

Example:

    tunesmith compare --references test.en baseline.out system.out

A system whose tuning was repeated is given as its outputs, separated by commas:

    tunesmith compare --references test.en base.1,base.2,base.3 new.1,new.2,new.3

The p-value then accounts for optimizer instability (Clark et al. 2011). FILE:NAME is the output of one system
of an evaluation set with several.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tunesmith.cli.console import output, print_json, show_interval
from tunesmith.cli.options import Json, Metrics, Seed, Threads, Tokenize
from tunesmith.errors import OptionError
from tunesmith.file_roles import Reads
from tunesmith.metrics.base import show_score
from tunesmith.metrics.components import show_components

if TYPE_CHECKING:
    from tunesmith.metrics import Comparison


def run(
    systems: Annotated[list[str], typer.Argument(help="Outputs of systems; the first is the baseline.")],
    references: Annotated[
        list[Path], typer.Option(help="Reference, one sentence per line; may be repeated."), Reads()
    ],
    metrics: Metrics = "bleu,chrf,ter",
    tokenize: Tokenize = None,
    resamples: Annotated[int, typer.Option(help="Number of bootstrap samples, at most a million.")] = 1000,
    trials: Annotated[int, typer.Option(help="Number of trials of approximate randomization.")] = 10000,
    seed: Seed = 12345,
    threads: Threads = None,
    json_: Json = False,
) -> None:
    """Test systems against the first one."""
    from tunesmith.corpus.sets import check_same_segments, read_output, read_reference_texts
    from tunesmith.metrics import compare_systems

    if len(set(systems)) != len(systems):
        raise OptionError("a system is given twice")
    if len(systems) < 2:
        raise OptionError("expected at least two systems: a baseline and one to compare with it")
    names = _names(systems)
    outputs = {system: [_output(path) for path in system.split(",")] for system in systems}
    check_same_segments([*references, *(path for each in outputs.values() for path, _ in each)])
    comparison = compare_systems(
        metrics,
        [reference for _, reference in read_reference_texts(references)],
        {names[system]: [read_output(*output) for output in outputs[system]] for system in systems},
        tokenize=tokenize,
        resamples=resamples,
        trials=trials,
        seed=seed,
        threads=threads,
    )
    if json_:
        print_json(comparison.to_dict())
    else:
        _print_table(comparison)


def _output(text: str) -> tuple[str, str | None]:
    """Return the file and, of `FILE:NAME`, the name of a system; names of files may have colons."""
    path, colon, name = text.rpartition(":")
    return (path, name) if colon and not Path(text).exists() and Path(path).exists() else (text, None)


def _names(systems: list[str]) -> dict[str, str]:
    """Return the file name without its folder for each system, where these names differ."""
    short = {system: ",".join(Path(path).name for path in system.split(",")) for system in systems}
    return short if len(set(short.values())) == len(systems) else {system: system for system in systems}


def _print_table(comparison: Comparison) -> None:
    from rich.table import Table

    replicated = any(row.s_test is not None for row in comparison.rows)
    for metric in comparison.signatures:
        unit = comparison.units[metric]
        table = Table("system", "score", "95% interval", "difference", "p (AR)", "p (BS)", title=metric)
        if replicated:
            table.add_column("s_sel / s_test")
        table.add_column("components")
        for row in comparison.rows:
            if row.metric != metric:
                continue
            difference = "baseline" if row.difference is None else show_score(row.difference, unit)
            cells = [
                row.system,
                show_score(row.mean, unit),
                show_interval(row.interval, unit),
                difference if row.difference is None or row.difference < 0 else f"+{difference}",
                "" if row.p_randomization is None else f"{row.p_randomization:.4f}",
                "" if row.p_bootstrap is None else f"{row.p_bootstrap:.4f}",
            ]
            if replicated:
                s_test = "" if row.s_test is None else f" / {show_score(row.s_test, unit)}"
                cells.append(show_score(row.s_sel, unit) + s_test)
            table.add_row(*cells, show_components(row.components))
        output.print(table)
    output.print(f"{comparison.sentences} sentences, {comparison.references} reference(s)")
    output.print("p-values: approximate randomization, two-sided (AR); paired bootstrap as sacrebleu's (BS)")
    if replicated:
        output.print("s_sel: spread over choices of sentences; s_test: spread over replicas")
