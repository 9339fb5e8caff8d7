"""`tunesmith forest consensus`: Choose rule and scale of consensus decoding on held-out text.

Example:

    tunesmith decode model --weights weights.json -i select.de -o select.out --context 3 \\
      --forest-output select.forests
    tunesmith forest consensus select.forests --references select.en --weights weights.json -o chosen.json
    tunesmith decode model --weights chosen.json -i test.de -o test.out --consensus

The text must not be what the weights were tuned on. If no rule is significantly better than Viterbi
translations, none is recorded: then decode without --consensus.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, cast

import typer

from tunesmith.cli.console import output, print_json
from tunesmith.cli.forest_options import ForestInput
from tunesmith.cli.options import Json, Threads


def run(
    forests: ForestInput,
    references: Annotated[
        list[Path], typer.Option(help="Reference, one sentence per line; may be repeated.")
    ],
    weights: Annotated[Path, typer.Option(help="Weights written by `tune`, as JSON.")],
    output_file: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Where to write the weights with the choice, as JSON."),
    ] = None,
    metric: Annotated[str, typer.Option(help="The metric to choose by.")] = "bleu",
    rules: Annotated[str, typer.Option(help="Rules to try, with commas.")] = "mbr,fast",
    scales: Annotated[
        str, typer.Option(help="Scales to try, with commas; default is that of rules, per sentence.")
    ] = "default,0.2,0.5,1,2,5",
    level: Annotated[
        float,
        typer.Option(help="Record a choice whose difference from Viterbi has at most this p-value."),
    ] = 0.05,
    threads: Threads = None,
    json_: Json = False,
) -> None:
    """Try rules and scales."""
    from rich.table import Table

    from tunesmith.consensus import try_consensus
    from tunesmith.consensus.choice import RECORD
    from tunesmith.errors import OptionError
    from tunesmith.files import check_outputs
    from tunesmith.forest import ForestPool
    from tunesmith.weights import Weights

    if output_file is not None and output_file.suffix != ".json":
        raise OptionError(f"--output {output_file}: expected a name in .json, a form that keeps the choice")
    check_outputs([] if output_file is None else [output_file], [forests, weights, *references])
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
        about = {key: value for key, value in given.about.items() if key != RECORD}
        if best is not None:
            about[RECORD] = {"rule": best.rule, "scale": best.scale}
        given.write(output_file, **about)
    if json_:
        tried = [vars(trial) for trial in found.trials]
        chosen = None if best is None else {"rule": best.rule, "scale": best.scale}
        print_json({"viterbi": found.viterbi, "trials": tried, "chosen": chosen})
        return
    table = Table("rule", "scale", metric, "p")
    table.add_row("viterbi", "", f"{100 * found.viterbi:.2f}", "")
    for trial in found.trials:
        scale = "default" if trial.scale is None else f"{trial.scale:g}"
        table.add_row(trial.rule, scale, f"{100 * trial.score:.2f}", f"{trial.p:.3f}")
    output.print(table)
    if best is None:
        output.print(f"no rule is better than Viterbi at p <= {level:g}: decode without --consensus")
    else:
        scale = "its default scale" if best.scale is None else f"scale {best.scale:g}"
        output.print(f"chosen: {best.rule} at {scale}")


def _number(text: str) -> float:
    from tunesmith.options import parse_option

    return cast(float, parse_option("--scales", float, text))
