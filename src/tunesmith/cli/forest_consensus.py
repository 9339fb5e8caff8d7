"""`tunesmith forest consensus`: Choose rule and scale of consensus decoding on held-out text.

Example:

    tunesmith decode model --weights weights.json -i select.de -o select.out --context 3 \\
      --forest-output select.forests
    tunesmith forest consensus select.forests --references select.en --weights weights.json -o chosen.json
    tunesmith decode model --weights chosen.json -i test.de -o test.out --consensus

The text must not be what the weights were tuned on. If no rule is significantly better than Viterbi
translations, that is recorded, and `decode --consensus` with these weights gives Viterbi translations.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, cast

import typer

from tunesmith.cli.console import output, print_json
from tunesmith.cli.forest_options import ForestInput
from tunesmith.cli.options import Json, Threads
from tunesmith.file_roles import Reads, Writes


def run(
    forests: ForestInput,
    references: Annotated[
        list[Path], typer.Option(help="Reference, one sentence per line; may be repeated."), Reads()
    ],
    weights: Annotated[Path, typer.Option(help="Weights written by `tune` or `train`, as JSON."), Reads()],
    output_file: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Where to write the weights with the choice, as JSON."),
        Writes(weights=True),
    ] = None,
    metric: Annotated[str, typer.Option(help="The metric to choose by.")] = "bleu",
    rules: Annotated[
        str, typer.Option(help="Rules to try, separated by commas, of {tunesmith.consensus:CONSENSUS}.")
    ] = "mbr,fast",
    scales: Annotated[
        str, typer.Option(help="Scales to try, separated by commas; `default`: the rule's own, per sentence.")
    ] = "default,0.2,0.5,1,2,5",
    level: Annotated[
        float,
        typer.Option(
            help="Record a choice whose difference from Viterbi has at most this p-value, times the number"
            " of trials.",
            min=0.0,
            max=1.0,
        ),
    ] = 0.05,
    threads: Threads = None,
    json_: Json = False,
) -> None:
    """Try rules and scales."""
    from rich.table import Table

    from tunesmith.consensus import try_consensus
    from tunesmith.consensus.choice import RECORD, VITERBI
    from tunesmith.errors import OptionError
    from tunesmith.forest import ForestPool
    from tunesmith.weights import Weights

    if output_file is not None and output_file.suffix != ".json":
        raise OptionError(f"--output {output_file}: expected a name in .json, a form that keeps the choice")
    given = Weights.read(weights)
    sizes = [None if text.strip() == "default" else _number(text.strip()) for text in scales.split(",")]
    found = try_consensus(
        ForestPool.open(forests, references),
        given,
        metric,
        rules=[name.strip() for name in rules.split(",")],
        scales=sizes,
        threads=threads,
    )
    best = found.best(level)
    if output_file is not None:
        rule, scale = (VITERBI, None) if best is None else (best.rule, best.scale)
        given.write(output_file, **{**given.about, RECORD: {"rule": rule, "scale": scale}})
    if json_:
        tried = [vars(trial) for trial in found.trials]
        chosen = None if best is None else {"rule": best.rule, "scale": best.scale}
        print_json({"viterbi": found.viterbi, "trials": tried, "chosen": chosen})
        return
    table = Table("rule", "scale", metric, "p")
    table.add_row("viterbi", "", f"{100 * found.viterbi:.2f}", "")
    for trial in found.trials:
        shown = "default" if trial.scale is None else f"{trial.scale:g}"
        table.add_row(trial.rule, shown, f"{100 * trial.score:.2f}", f"{trial.p:.3f}")
    output.print(table)
    if best is None:
        limit = level / len(found.trials)
        output.print(
            f"the best rule is not better than Viterbi at p <= {limit:.2g}: decode without --consensus"
        )
    else:
        shown = "its default scale" if best.scale is None else f"scale {best.scale:g}"
        output.print(f"chosen: {best.rule} at {shown}")


def _number(text: str) -> float:
    from tunesmith.options import parse_option

    return cast(float, parse_option("--scales", float, text))
