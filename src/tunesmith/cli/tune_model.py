"""`tunesmith tune model`: Tune the weights of a decoder: decode, learn, and decode again.

Examples:

    tunesmith tune model MODEL_DIR --source dev.de --references dev.en -o TUNED_DIR

    tunesmith decode MODEL_DIR --weights TUNED_DIR/weights.json -i test.de -o test.out

    tunesmith tune model --decoder-command "my-decoder -w {weights} -k {size}" --start start.json \\
      --source dev.de --references dev.en --method mira -o TUNED_DIR

    tunesmith tune model MODEL_DIR --source drawn.source --references drawn.target \\
      --jackknife --fold-file drawn.folds --method mira -o TUNED_DIR

    tunesmith tune model MODEL_DIR --source dev.de --references dev.en --select-source held-out.de \\
      --select-references held-out.en --try 'distortion-limit=6,12' -o TUNED_DIR

The method's own options follow as flags, such as `--k 5` for pl; one whose flag this command has itself is
given as `--method-memory`. `tunesmith tune methods` lists them. A killed run resumes when the same
command is given again; a finished run continues when it is given with more `--iterations`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from tunesmith.cli.console import errors, print_json, warn
from tunesmith.cli.flags import Given, expanded
from tunesmith.cli.options import (
    Json,
    MethodName,
    Metric,
    Quiet,
    TuningReferences,
    given_on_command_line,
    method_options,
)
from tunesmith.cli.round_display import print_rounds, showing_rounds
from tunesmith.cli.search_options import InputFormat, PrepareSets, Search, SearchFlags
from tunesmith.cli.search_tries import combinations, run_tries
from tunesmith.cli.trial_display import print_trials
from tunesmith.cli.tune_options import METHOD_FLAGS, read_weight_options, require_given, resumable
from tunesmith.errors import OptionError
from tunesmith.file_roles import Reads, Writes, own_folder_of
from tunesmith.model.jackknife.options import JackknifeOptions
from tunesmith.options import option_types
from tunesmith.tuning.loop.options import LoopOptions

if TYPE_CHECKING:
    from tunesmith.systems.base import System
    from tunesmith.weights import Weights

__all__ = [
    "DecoderCommand",
    "DecoderProtocol",
    "NbestFormat",
    "refuse_search_options",
    "run",
    "shared_options",
]

CONTEXT_SETTINGS = METHOD_FLAGS

Looping: TypeAlias = Annotated[dict[str, Any], Given(LoopOptions, make=read_weight_options)]
"""A parameter of this type takes the flags of all options of the loop."""

DecoderCommand = Annotated[
    str | None,
    typer.Option(
        help="Tune an external decoder: a command with {weights}, and optionally {size} and {nbest}."
    ),
]
DecoderProtocol = Annotated[
    str, typer.Option(help="Protocol of that command: nbest (lists) or mira (Mr. MIRA's).")
]
NbestFormat = Annotated[
    str | None, typer.Option(help="Format of that command's lists [default: detected from content].")
]


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
        typer.Option(
            help="Sentences to score each iteration on, for --select metric; never test sentences.",
        ),
        Reads(),
    ] = None,
    select_references: Annotated[
        list[Path] | None,
        typer.Option(help="Reference of these sentences; may be repeated."),
        Reads(),
    ] = None,
    method: MethodName = "mira",
    metric: Metric = "bleu",
    options: Looping,
    decoder_command: DecoderCommand = None,
    decoder_protocol: DecoderProtocol = "nbest",
    nbest_format: NbestFormat = None,
    input_format: InputFormat = None,
    prepare: PrepareSets = False,
    search: Search,
    try_search: Annotated[
        list[str] | None,
        typer.Option(
            "--try",
            help="Tune with each of these values of an option, 'distortion-limit=6,12' or"
            " 'method=mira,mert', and keep the one that translates the select set best (needs"
            " --select-source); may be repeated: all combinations.",
        ),
    ] = None,
    jackknife: JackknifeOptions,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Tune the weights of a decoder."""
    from tunesmith.metrics import get_metric
    from tunesmith.tuning import tune_model

    own: Any = {f"method_{name}": value for name, value in method_options(method, command_line).items()}
    require_given(**{"--source FILE": source, "--references FILE": references, "-o FOLDER": output_folder})
    assert source is not None and references is not None and output_folder is not None
    if (model_dir is None) == (decoder_command is None):
        raise OptionError("expected a model's directory or --decoder-command, one of the two")
    decoder: Path | System
    of_select: Path | System | None = select_source
    if model_dir is not None:
        decoder = model_dir
    else:
        refuse_search_options(search, input_format, prepare, jackknife.jackknife)
        start = options.pop("start", None)  # it is the decoder's
        external = _External(decoder_command or "", decoder_protocol, nbest_format, start, output_folder)
        decoder = external.over(source, ".decoder")
        of_select = None if select_source is None else external.over(select_source, ".decoder.select")
        if decoder_protocol == "nbest" and not quiet:
            errors.print(f"log of the decoder: {output_folder / '.decoder' / 'log'}", markup=False)
    tries = combinations(try_search, model_dir, of_select, method)
    shown_as = "tuning" if any("method" in each for each in tries) else method
    said: list[str] = []
    with resumable(), _hinting_at(method), showing_rounds(shown_as, quiet) as shown:
        progress = None if shown.progress is None else _noting(said, shown.progress)
        tuning = partial(
            tune_model,
            decoder,
            source if model_dir is not None else None,
            [str(path) for path in references],
            method=method,
            metric=metric,
            select_source=of_select,
            select_references=[str(path) for path in select_references or []],
            templates=search.templates,
            input_format=input_format,
            prepare=prepare,
            jackknife=jackknife if jackknife.jackknife else None,
            phase=shown.phase,
            watch=shown.watch,
            **options,
            **own,
        )
        tried = None
        if tries:
            assert model_dir is not None and isinstance(of_select, Path)
            named = {"method": method} if given_on_command_line(command_line, "method") else {}
            opening = {
                "start": options.get("start"),
                "templates": search.templates,
                "input_format": input_format,
                "prepare": prepare,
                "threads": options.get("threads"),
            }
            tried = run_tries(
                tries,
                tuning,
                output_folder,
                model_dir,
                metric,
                (of_select, [str(path) for path in select_references or []]),
                search=search.options,
                method=method,
                given=named | options | own,
                opening=opening,
                progress=progress,
            )
            result = tried.result
        else:
            result = tuning(output=output_folder, search=search.options or None, progress=progress)
    if result.resumed_after and not quiet:
        errors.print(f"resumed after iteration {result.resumed_after} of an earlier run")
    for warning in result.warnings:
        if f"warning: {warning}" not in said:
            warn(warning)
    if json_:
        trials = {} if tried is None else {"tried": tried.to_dict()}
        print_json(result.to_dict() | {"output": str(output_folder)} | trials)
    else:
        if tried is not None:
            print_trials(tried, get_metric(metric).unit)
        print_rounds(result, get_metric(metric).unit)


def _noting(said: list[str], progress: Callable[[str], None]) -> Callable[[str], None]:
    """Return a callback that also notes the lines, so that warnings at the start are not repeated."""

    def note(line: str) -> None:
        said.append(line)
        progress(line)

    return note


def shared_options(method: str) -> list[str]:
    """Return the options of a method whose flags this command has for itself."""
    from tunesmith.tuning.method import METHODS

    own = signature(expanded(run)).parameters
    return [name for name in option_types(METHODS[method]) if name in own]


@contextmanager
def _hinting_at(method: str) -> Iterator[None]:
    """Add to an error about an option of the loop or search that the method has one of the same name."""
    try:
        yield
    except OptionError as error:
        said = error.message
        option = said.options[0] if said.values.get("owner") in ("search", "loop") else ""
        if option not in shared_options(method):
            raise
        hint = f"; the option of {method} is --method-{option.replace('_', '-')}"
        raise OptionError(said + hint) from None


def refuse_search_options(
    search: SearchFlags, input_format: str | None, prepare: bool, jackknife: bool
) -> None:
    """Refuse options that only our own decoders have."""
    template = search.template_names or None
    others = {
        "template": template,
        "input_format": input_format,
        "prepare": prepare or None,
        "jackknife": jackknife or None,
    }
    names = [*search.options, *(name for name, value in others.items() if value is not None)]
    if names:
        raise OptionError("{} is for models; a --decoder-command has options of its own", names[0])


@dataclass(frozen=True)
class _External:
    """An external decoder, for any file of sentences; it is logged in the folder of the run."""

    command: str
    protocol: str
    format: str | None
    start: Weights | None
    folder: Path

    def over(self, source: Path, scratch: str) -> System:
        """Return the decoder for the sentences of a file."""
        if self.start is None:
            raise OptionError("--decoder-command needs --start: a file with a weight for each feature")
        if self.protocol == "mira":
            from tunesmith.systems.process import ProcessSystem

            return ProcessSystem(self.command, source, start=self.start)
        if self.protocol != "nbest":
            raise OptionError(f"--decoder-protocol must be nbest or mira, not {self.protocol!r}")
        from tunesmith.named_files import own_folder
        from tunesmith.systems.command import CommandSystem

        return CommandSystem(
            self.command,
            source,
            start=self.start,
            scratch=own_folder(self.folder, scratch),
            format=self.format,
        )
