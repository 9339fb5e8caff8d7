"""`tunesmith tune online`: Learn millions of sparse weights online, sentence by sentence.

Examples:

    tunesmith tune online MODEL_DIR --source dev.de --references dev.en --start TUNED_DIR/weights.json \\
      --template rule-identity --template target-bigrams -o ONLINE_DIR

    tunesmith decode MODEL_DIR --weights ONLINE_DIR/weights -i test.de -o test.out

    tunesmith tune online MODEL_DIR --source dev.de --references dev.en -o ONLINE_DIR \\
      --executor spark --master spark://HOST:7077 --ship

The tuning set is divided into shards. Within a shard, each sentence is translated with the weights as updated
on the sentence before it. After each epoch the weights of all shards are averaged. The update's own
options follow as flags, such as `--c 0.01`; one whose flag this command has itself is given as
`--update-seed`. A killed run resumes when the same command is given again, and continues with more
`--epochs`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from tunesmith.cli.console import errors, note, print_json, warn
from tunesmith.cli.flags import Given, Spells
from tunesmith.cli.online_display import print_epochs, showing_epochs
from tunesmith.cli.options import Json, Metric, Quiet, TuningReferences, UpdateName, own_options
from tunesmith.cli.search_options import InputFormat, PrepareSets, Search, SearchFlags, whitelists
from tunesmith.cli.tune_model import DecoderCommand, DecoderProtocol, NbestFormat, refuse_search_options
from tunesmith.cli.tune_options import METHOD_FLAGS, require_given, resumable
from tunesmith.distribute.options import ExecutorOptions
from tunesmith.errors import OptionError
from tunesmith.file_roles import Reads, Writes, own_folder_of
from tunesmith.model.jackknife.options import JackknifeOptions
from tunesmith.tuning.online.learner import LearnerOptions
from tunesmith.tuning.online.mixing import MixingOptions
from tunesmith.tuning.online.options import ScheduleOptions

if TYPE_CHECKING:
    from tunesmith.systems.setup import Setup

CONTEXT_SETTINGS = METHOD_FLAGS

Online: TypeAlias = Annotated[dict[str, Any], Given(ScheduleOptions, LearnerOptions, MixingOptions)]
"""A parameter of this type takes the flags of all options of online learning."""


def run(
    command_line: typer.Context,
    model_dir: Annotated[
        Path | None, typer.Argument(help="Directory of the model; none with --decoder-command."), Reads()
    ] = None,
    *,
    source: Annotated[
        Path | None, typer.Option(help="Sentences of the tuning set (required), as for `decode`."), Reads()
    ] = None,
    output_folder: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Folder of the run (required)."),
        Writes(is_folder=own_folder_of),
    ] = None,
    references: TuningReferences = None,
    select_source: Annotated[
        Path | None,
        typer.Option(help="Sentences whose score chooses the epoch; never test sentences."),
        Reads(),
    ] = None,
    select_references: Annotated[
        list[Path] | None, typer.Option(help="Reference of these sentences; may be repeated."), Reads()
    ] = None,
    update: UpdateName = "passive-aggressive",
    metric: Metric = "bleu",
    options: Online,
    template_list: Annotated[
        str | None,
        typer.Option("--templates", help="Several templates, separated by commas."),
        Reads(whitelists),
    ] = None,
    decoder_command: DecoderCommand = None,
    decoder_protocol: DecoderProtocol = "nbest",
    nbest_format: NbestFormat = None,
    input_format: InputFormat = None,
    prepare: PrepareSets = False,
    search: Search,
    jackknife: JackknifeOptions,
    where: ExecutorOptions,
    checkpoint_to: Annotated[
        str | None,
        typer.Option(
            help="Folder to copy each finished epoch to, on any file system of Hadoop (hdfs:, s3a:,"
            " file:); the same command resumes from there. Needs --executor spark.",
            metavar="<uri>",
            rich_help_panel="Where shards run",
        ),
        Spells("checkpoint_to"),
    ] = None,
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
    if (model_dir is None) == (decoder_command is None):
        raise OptionError("expected a model's directory or --decoder-command, one of the two")
    names = (
        *search.template_names,
        *(name.strip() for name in (template_list or "").split(",") if name.strip()),
    )

    if model_dir is None:
        refuse_search_options(SearchFlags(search.options, names), input_format, prepare, jackknife.jackknife)
    own_templates = SearchFlags(search.options, names).templates
    announce = None if quiet else note

    def setup(text: Path, of_text: list[Path], folds: JackknifeOptions | None = None) -> Setup:
        from tunesmith.systems.external_setup import ExternalSetup
        from tunesmith.systems.model_setup import ModelSetup
        from tunesmith.weights import WeightStore

        if model_dir is None:
            if "start" not in options:
                raise OptionError("--decoder-command needs --start: a file with a weight for each feature")
            start = WeightStore.open(options["start"])
            command = decoder_command or ""
            return ExternalSetup.of(command, text, of_text, start, decoder_protocol, nbest_format)
        return ModelSetup.of(
            model_dir,
            text,
            of_text,
            start=options.get("start"),
            search=search.options or None,
            templates=own_templates,
            input_format=input_format,
            prepare=prepare,
            jackknife=folds,
            announce=None if folds is None else announce,
        )

    tuned = setup(source, references, jackknife)
    with (
        resumable(),
        where.open(options.get("threads")) as executor,
        showing_epochs(get_metric(metric), quiet) as shown,
    ):
        result = tune_online(
            tuned,
            output=output_folder,
            update=update,
            metric=metric,
            select=None if select_source is None else setup(select_source, select_references or []),
            executor=executor,
            checkpoint_to=None if checkpoint_to is None else executor.folder(checkpoint_to),
            progress=shown.progress,
            tick=shown.tick,
            **options,
            **own,
        )
    if result.resumed_after and not quiet:
        errors.print(f"resumed after epoch {result.resumed_after} of an earlier run")
    for warning in result.warnings:
        warn(warning)
    if json_:
        print_json(result.to_dict())
    else:
        print_epochs(result, get_metric(metric).unit)
