"""`tunesmith tune model`: a decoder in the loop."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tunesmith.cli.console import errors, print_json, warn
from tunesmith.cli.flags import expanded
from tunesmith.cli.groups import group
from tunesmith.cli.options import (
    Json,
    Metric,
    Quiet,
    References,
    Seed,
    Threads,
    given_options,
    method_options,
)
from tunesmith.cli.round_display import print_rounds, showing_rounds
from tunesmith.cli.search_options import NO_SEARCH, InputFormat, Prepare, Search, SearchFlags
from tunesmith.cli.tune_options import (
    METHOD_FLAGS,
    Bounds,
    Freeze,
    L1Strength,
    L2Strength,
    LoopSelect,
    StartFile,
    chosen_by,
    given_bounds,
    require_given,
    resumable,
)
from tunesmith.errors import OptionError
from tunesmith.options import option_types

if TYPE_CHECKING:
    from tunesmith.tuning.translators.base import Translator
    from tunesmith.weights import Weights

__all__ = ["register", "shared_options"]

EXAMPLE = """Examples:

    tunesmith tune model MODEL_DIR --source dev.de --references dev.en --method mert -o TUNED_DIR

    tunesmith decode MODEL_DIR --weights TUNED_DIR/weights.json -i test.de -o test.out

    tunesmith tune model --decoder-command "my-decoder -w {weights} -k {size}" --start start.json \\
      --source dev.de --references dev.en --method mira -o TUNED_DIR

The method's own options follow as flags, such as `--k 5` for pl; one whose flag this command has for itself
is given as `--method-iterations`. `tunesmith tune methods` lists them. A killed run goes on where it stopped
when the same command is given again, and one that has ended when it is given with more `--iterations`."""


def register(root: typer.Typer) -> None:
    """Add the subcommand."""
    help_text = "Tune the weights of a decoder: decode, learn, and decode again.\n\n" + EXAMPLE
    group(root, "tune").command("model", help=help_text, context_settings=METHOD_FLAGS)(model)


def model(
    command_line: typer.Context,
    model_dir: Annotated[
        Path | None, typer.Argument(help="The model's directory; none with --decoder-command.")
    ] = None,
    source: Annotated[
        Path | None, typer.Option(help="The sentences of the tuning set (required), as for `decode`.")
    ] = None,
    output_folder: Annotated[
        Path | None, typer.Option("-o", "--output", help="The folder of the run (required).")
    ] = None,
    references: References = None,
    method: Annotated[str, typer.Option(help="The learner; see `tunesmith tune methods`.")] = "mert",
    metric: Metric = "bleu",
    iterations: Annotated[int, typer.Option(help="Rounds of decoding and learning, at most.")] = 20,
    nbest: Annotated[
        int | None, typer.Option(help="Candidates a list; forest methods need none [100].")
    ] = None,
    seed: Seed = 1,
    start: StartFile = None,
    start_zero: Annotated[bool, typer.Option("--start-zero", help="Start from weights of zero.")] = False,
    freeze: Freeze = None,
    bound: Bounds = None,
    l1: L1Strength = 0.0,
    l2: L2Strength = None,
    interpolate: Annotated[
        float, typer.Option(help="The share of new weights, in a mix with those of the round before.")
    ] = 1.0,
    select: LoopSelect = "objective",
    dev_source: Annotated[
        Path | None, typer.Option(help="Sentences to score all rounds on; --select metric goes by them.")
    ] = None,
    dev_references: Annotated[
        list[Path] | None, typer.Option(help="A reference of these; repeat for more.")
    ] = None,
    patience: Annotated[
        int | None, typer.Option(help="Stop after so many rounds without a better score [never].")
    ] = None,
    tolerance: Annotated[
        float, typer.Option(help="Stop when no weight moves by more; all sum to 1 in absolute value.")
    ] = 1e-5,
    least_improvement: Annotated[
        float | None,
        typer.Option(
            help="Stop when a round improves the method's objective by no more than this share of it"
            " [the method's own, mostly 0]."
        ),
    ] = None,
    forest_density: Annotated[
        float | None,
        typer.Option(
            help="Forest methods that unite rounds: edges a word that each keeps"
            " [50, forest-mert: 200]; 0 is all."
        ),
    ] = None,
    restart: Annotated[
        bool, typer.Option("--restart", help="Remove the run that the folder holds, and start anew.")
    ] = False,
    decoder_command: Annotated[
        str | None,
        typer.Option(
            help="Any decoder that writes lists: a command with {weights} in it, and {size}, {nbest}."
        ),
    ] = None,
    decoder_protocol: Annotated[
        str, typer.Option(help="What that command speaks: nbest (lists), or mira (Mr. MIRA's).")
    ] = "nbest",
    nbest_format: Annotated[
        str | None, typer.Option(help="Format of that command's lists [told by content].")
    ] = None,
    input_format: InputFormat = None,
    prepare: Prepare = False,
    search: Search = NO_SEARCH,
    threads: Threads = None,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Tune the weights of a decoder."""
    from tunesmith.metrics import get_metric
    from tunesmith.tuning import tune_model
    from tunesmith.weights import Weights

    by = chosen_by(select)
    own: Any = {f"method_{name}": value for name, value in method_options(method, command_line).items()}
    require_given(**{"--source FILE": source, "--references FILE": references, "-o FOLDER": output_folder})
    assert source is not None and references is not None and output_folder is not None
    if (model_dir is None) == (decoder_command is None):
        raise OptionError("expected a model's directory or --decoder-command, one of the two")
    given = None if start is None else Weights.read(start)
    decoder: Path | Translator
    dev: Path | Translator | None = dev_source
    if model_dir is not None:
        decoder = model_dir
    else:
        _refuse_search_options(search, input_format, prepare)
        external = _External(decoder_command or "", decoder_protocol, nbest_format, given, output_folder)
        decoder = external.over(source, ".decoder")
        dev = None if dev_source is None else external.over(dev_source, ".decoder.dev")
        if decoder_protocol == "nbest" and not quiet:
            errors.print(f"what the decoder says: {output_folder / '.decoder' / 'log'}", markup=False)
    with resumable(), _hinting_at(method), showing_rounds(method, quiet) as shown:
        result = tune_model(
            decoder,
            source if model_dir is not None else None,
            [str(path) for path in references],
            method,
            metric,
            output=output_folder,
            iterations=iterations,
            nbest=nbest,
            seed=seed,
            start=given if model_dir is not None else None,  # an external decoder has it
            start_zero=start_zero,
            bounds=given_bounds(bound),
            frozen=freeze or [],
            l1=l1,
            l2=l2,
            interpolate=interpolate,
            select=by,
            patience=patience,
            tolerance=tolerance,
            least_improvement=least_improvement,
            dev_source=dev,
            dev_references=[str(path) for path in dev_references or []],
            search=search.options or None,
            templates=search.templates,
            input_format=input_format,
            prepare=prepare,
            restart=restart,
            threads=threads,
            progress=shown.progress,
            phase=shown.phase,
            watch=shown.watch,
            **given_options(forest_density=forest_density),
            **own,
        )
    if result.resumed_after and not quiet:
        errors.print(f"resumed after iteration {result.resumed_after} of an earlier run")
    for warning in result.warnings:
        warn(warning)
    if json_:
        print_json(result.to_dict() | {"output": str(output_folder)})
    else:
        print_rounds(result, get_metric(metric).unit)


def shared_options(method: str) -> list[str]:
    """Return the options of a method whose flags this command has for itself."""
    from tunesmith.tuning.method import METHODS

    own = signature(expanded(model)).parameters
    return [name for name in option_types(METHODS[method]) if name in own]


@contextmanager
def _hinting_at(method: str) -> Iterator[None]:
    """Tell in an error about an option of the loop or the search that the method has one of that name too."""
    try:
        yield
    except OptionError as error:
        said = error.message
        option = said.options[0] if said.values.get("owner") in ("search", "loop") else ""
        if option not in shared_options(method):
            raise
        hint = f"; the option of {method} is --method-{option.replace('_', '-')}"
        raise OptionError(said + hint) from None


def _refuse_search_options(search: SearchFlags, input_format: str | None, prepare: bool) -> None:
    """Refuse what only our own decoders know of."""
    template = search.template_names or None
    others = {"template": template, "input_format": input_format, "prepare": prepare or None}
    names = [*search.options, *(name for name, value in others.items() if value is not None)]
    if names:
        raise OptionError("{} is for models; a --decoder-command has options of its own", names[0])


@dataclass(frozen=True)
class _External:
    """A decoder that is a command, over any sentences; what it said is kept in the folder of the run."""

    command: str
    protocol: str
    format: str | None
    start: Weights | None
    folder: Path

    def over(self, source: Path, scratch: str) -> Translator:
        """Return the decoder for the sentences of a file."""
        if self.start is None:
            raise OptionError("--decoder-command needs --start: a file with a weight for each feature")
        if self.protocol == "mira":
            from tunesmith.tuning.translators.mira_protocol import MiraProtocolTranslator

            return MiraProtocolTranslator(self.command, source, start=self.start)
        if self.protocol != "nbest":
            raise OptionError(f"--decoder-protocol must be nbest or mira, not {self.protocol!r}")
        from tunesmith.tuning.translators.command import CommandTranslator

        return CommandTranslator(
            self.command, source, start=self.start, scratch=self.folder / scratch, format=self.format
        )
