"""`tunesmith stream map`: Learn from the shards of standard input, one epoch; the mapper of a stream.

Examples:

    tunesmith stream map MODEL_DIR --weights weights.0 < dev.lines > learned

    tunesmith stream map MODEL_DIR --weights w.0 < dev.lines | sort | \\
      tunesmith stream reduce --weights w.0 -o w.1

Reads lines of `stream lines`, learns from each shard as `tune online` does, and writes the weights of each
shard as lines that begin with its number. The weights are used as they are (`--start-scale 1` of
`tune online`). With the weights that `stream reduce` wrote, this is the next epoch. The update's own
options follow as flags. Counters and status go to standard error in the form of Hadoop streaming.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from tunesmith.cli.flags import Given
from tunesmith.cli.options import Metric, Quiet, Seed, UpdateName, own_options
from tunesmith.cli.search_options import InputFormat, PrepareSets, Search
from tunesmith.cli.tune_options import METHOD_FLAGS
from tunesmith.errors import OptionError
from tunesmith.file_roles import Reads
from tunesmith.model.jackknife.options import JackknifeOptions
from tunesmith.tuning.online.learner import LearnerOptions

CONTEXT_SETTINGS = METHOD_FLAGS


def run(
    command_line: typer.Context,
    model_dir: Annotated[Path, typer.Argument(help="Directory of the model."), Reads()],
    *,
    weights: Annotated[
        Path, typer.Option(help="Weights to begin with; the same file for all mappers."), Reads()
    ],
    start: Annotated[
        Path | None,
        typer.Option(
            help="First weights of the run, which rampion stays near [default: --weights, in the first"
            " epoch]."
        ),
        Reads(),
    ] = None,
    update: UpdateName = "passive-aggressive",
    metric: Metric = "bleu",
    seed: Seed = 1,
    options: Annotated[dict[str, Any], Given(LearnerOptions, omit=("keep_rates",))],
    input_format: InputFormat = None,
    prepare: PrepareSets = False,
    search: Search,
    jackknife: JackknifeOptions,
    quiet: Quiet = False,
) -> None:
    """Map lines to weights of shards."""
    from tunesmith.options import check_seed
    from tunesmith.systems.model_setup import ModelSetup
    from tunesmith.tuning.online.updates.base import UPDATES, configured_update
    from tunesmith.tuning.streaming.counters import Counters
    from tunesmith.tuning.streaming.mapper import map_lines
    from tunesmith.tuning.streaming.reading import decoded_lines

    chosen = configured_update(update, own_options(UPDATES, update, command_line, "update"))
    check_seed(seed)
    if jackknife.fold_file is not None:
        raise OptionError("{} is for `stream lines`: lines have the folds of their sentences", "fold_file")

    def setup(source: Path, references: list[Path]) -> ModelSetup:
        return ModelSetup.of(
            model_dir,
            source,
            references,
            start=weights,
            search=search.options or None,
            templates=search.templates,
            input_format=input_format,
            prepare=prepare,
            jackknife=jackknife,
        )

    found = map_lines(
        decoded_lines(sys.stdin.buffer),
        weights,
        setup,
        update=chosen,
        learner=LearnerOptions(**options),
        metric=metric,
        seed=seed,
        start=start,
        counters=Counters(None if quiet else sys.stderr),
    )
    for line in found:
        sys.stdout.write(line)
