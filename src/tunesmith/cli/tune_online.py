"""`tunesmith tune online`: Learn millions of sparse weights online, sentence by sentence.

Examples:

    tunesmith tune online MODEL_DIR --source dev.de --references dev.en --start TUNED_DIR/weights.json \\
      --template rule-identity --template target-bigrams -o ONLINE_DIR

    tunesmith decode MODEL_DIR --weights ONLINE_DIR/weights -i test.de -o test.out

Each of `--shards` parts of the tuning set is learned from in sequence: every sentence is translated under
weights that the one before it changed. After an iteration the weights of all shards are averaged. The
update's own options follow as flags, such as `--c 0.01`; one whose flag this command has itself is given as
`--update-seed`. A killed run resumes when the same command is given again, and continues with more
`--epochs`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from tunesmith.cli.console import errors, print_json
from tunesmith.cli.flags import Given
from tunesmith.cli.online_display import print_iterations, showing_iterations
from tunesmith.cli.options import Json, Metric, Quiet, References, own_options
from tunesmith.cli.search_options import InputFormat, Prepare, Search, SearchFlags
from tunesmith.cli.tune_options import METHOD_FLAGS, require_given, resumable
from tunesmith.errors import OptionError
from tunesmith.tuning.online.learner import LearnerOptions
from tunesmith.tuning.online.mixing import MixingOptions
from tunesmith.tuning.online.options import ScheduleOptions

if TYPE_CHECKING:
    from tunesmith.tuning.online.setup import Setup

CONTEXT_SETTINGS = METHOD_FLAGS

Online: TypeAlias = Annotated[dict[str, Any], Given(ScheduleOptions, LearnerOptions, MixingOptions)]
"""A parameter of this type takes the flags of all options of online learning."""


def run(
    command_line: typer.Context,
    model_dir: Annotated[
        Path | None, typer.Argument(help="Directory of the model; none with --decoder-command.")
    ] = None,
    *,
    source: Annotated[
        Path | None, typer.Option(help="Sentences of the tuning set (required), as for `decode`.")
    ] = None,
    output_folder: Annotated[
        Path | None, typer.Option("-o", "--output", help="Folder of the run (required).")
    ] = None,
    references: References = None,
    select_source: Annotated[
        Path | None, typer.Option(help="Sentences whose score chooses the iteration; never test sentences.")
    ] = None,
    select_references: Annotated[
        list[Path] | None, typer.Option(help="Reference of these sentences; may be repeated.")
    ] = None,
    update: Annotated[
        str,
        typer.Option(help="How a sentence changes weights: {tunesmith.tuning.online.updates.base:UPDATES}."),
    ] = "passive-aggressive",
    metric: Metric = "bleu",
    options: Online,
    template_list: Annotated[
        str | None, typer.Option("--templates", help="Several templates at once, separated by commas.")
    ] = None,
    input_format: InputFormat = None,
    prepare: Prepare = False,
    search: Search,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Learn weights online."""
    from tunesmith.metrics import get_metric
    from tunesmith.tuning.online.tune import tune_online
    from tunesmith.tuning.online.updates.base import UPDATES

    own: Any = {
        f"update_{name}": value
        for name, value in own_options(UPDATES, update, command_line, "update").items()
    }
    require_given(**{"--source FILE": source, "--references FILE": references, "-o FOLDER": output_folder})
    assert source is not None and references is not None and output_folder is not None
    if bool(select_source) != bool(select_references):
        raise OptionError("a select set needs both {} and {}", "select_source", "select_references")
    if model_dir is None:
        raise OptionError("expected a model's directory")
    names = (
        *search.template_names,
        *(name.strip() for name in (template_list or "").split(",") if name.strip()),
    )

    def setup(text: Path, of_text: list[Path]) -> Setup:
        return _model_setup(model_dir, text, of_text, search, names, input_format, prepare)

    with resumable(), showing_iterations(get_metric(metric), quiet) as shown:
        result = tune_online(
            setup(source, references),
            output=output_folder,
            update=update,
            metric=metric,
            select=None if select_source is None else setup(select_source, select_references or []),
            progress=shown.progress,
            tick=shown.tick,
            **options,
            **own,
        )
    if result.resumed_after and not quiet:
        errors.print(f"resumed after iteration {result.resumed_after} of an earlier run")
    if json_:
        print_json(result.to_dict())
    else:
        print_iterations(result, get_metric(metric).unit)


def _model_setup(
    model: Path,
    source: Path,
    references: list[Path],
    search: SearchFlags,
    templates: tuple[str, ...],
    input_format: str | None,
    prepare: bool,
) -> Setup:
    from tunesmith.tuning.online.model_setup import ModelSetup

    return ModelSetup(
        str(model),
        str(source),
        tuple(map(str, references)),
        tuple(search.options.items()),
        templates,
        input_format,
        prepare,
    )
