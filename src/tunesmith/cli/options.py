"""Options shared by several subcommands."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tunesmith.cli.given_once import named_once
from tunesmith.cli.unknown_options import suggested_flag, visible_flags
from tunesmith.errors import OptionError
from tunesmith.file_roles import Reads, Writes
from tunesmith.options import option_types, parse_option

if TYPE_CHECKING:
    from tunesmith.registry import Registry

__all__ = [
    "Json",
    "MethodName",
    "Metric",
    "Metrics",
    "Missing",
    "OutputFile",
    "Quiet",
    "References",
    "Seed",
    "SingleWeights",
    "Splitter",
    "Threads",
    "Tokenize",
    "TokenizedText",
    "TuningReferences",
    "UnknownScore",
    "UpdateName",
    "WeightsFile",
    "given_on_command_line",
    "given_options",
    "given_weights",
    "method_options",
    "own_options",
]

References = Annotated[
    list[Path] | None,
    typer.Option("--references", help="Reference, one sentence per line; may be repeated."),
    Reads(),
]
TuningReferences = Annotated[
    list[Path] | None,
    typer.Option(
        "--references", help="Reference of the tuning set (required), one sentence per line; may be repeated."
    ),
    Reads(),
]
Metric = Annotated[
    str,
    typer.Option(
        help="{tunesmith.metrics:METRICS}, or in quotes, with options or as a mix:"
        " 'bleu(tokenize=13a)', `'0.5*bleu + 0.5*(1-ter)'`."
    ),
]
Metrics = Annotated[
    str,
    typer.Option(help="Metrics, separated by commas; options need quotes: 'bleu(tokenize=13a),ter'."),
]
MethodName = Annotated[
    str, typer.Option("--method", help="Tuning method; `tunesmith tune methods` lists them.")
]
Seed = Annotated[int, typer.Option(help="Random seed; the same seed gives the same result.")]
Threads = Annotated[
    int | None, typer.Option(help="Number of threads [default: all cores]; results do not depend on it.")
]
Missing = Annotated[bool, typer.Option("--allow-missing", help="Skip sentences without candidates.")]
Tokenize = Annotated[
    str | None,
    typer.Option(
        help="sacrebleu's tokenizer for metrics of words that set none (bleu, wer, ...): 13a, intl, zh, ..."
        " [default: none]."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
OutputFile = Annotated[
    Path, typer.Option("-o", "--output", help="Where to write; - is standard output."), Writes()
]
Splitter = Annotated[Path, typer.Argument(help="Splitter written by `lattice train`."), Reads()]
TokenizedText = Annotated[Path, typer.Argument(help="Tokenized text; - is standard input."), Reads()]
UnknownScore = Annotated[
    float, typer.Option(help="log10 probability of unknown words if an ARPA file has no `<unk>`.")
]
UpdateName = Annotated[
    str, typer.Option(help="How a sentence changes weights: {tunesmith.tuning.online.updates.base:UPDATES}.")
]
WeightsFile = Annotated[
    Path | None,
    typer.Option(help="Weights written by `tune`, or lines 'name value' [default: the model's]."),
    Reads(),
]
SingleWeights = Annotated[
    list[str] | None,
    typer.Option(help="Override one weight; may be repeated.", metavar="NAME=VALUE"),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")]


def given_options(**options: Any) -> dict[str, Any]:
    """Return the options that are not None."""
    return {name: value for name, value in options.items() if value is not None}


def given_on_command_line(context: typer.Context, parameter: str) -> bool:
    """Return whether the command line names a parameter, whatever its default is."""
    source = context.get_parameter_source(parameter)
    return source is not None and source.name == "COMMANDLINE"


def given_weights(texts: list[str] | None) -> dict[str, float]:
    """Return the weights of repeated `--weight NAME=VALUE`; a name that is given twice is an OptionError."""
    return named_once("--weight", map(_weight, texts or ()))


def _weight(text: str) -> tuple[str, float]:
    name, _, value = text.rpartition("=")
    try:
        if name and math.isfinite(float(value)):
            return name, float(value)
    except ValueError:
        pass
    raise OptionError(f"--weight: expected NAME=VALUE, such as InputFeature0=0.5, found {text!r}")


def method_options(method: str, context: typer.Context) -> dict[str, object]:
    """Parse the rest of the command line as the method's own options; see `own_options`."""
    from tunesmith.tuning.method import METHODS

    return own_options(METHODS, method, context)


def own_options(
    registry: Registry[Any], name: str, context: typer.Context, prefix: str = "method"
) -> dict[str, object]:
    """Parse the rest of the command line as options of an entry of a registry: `--k 5`, `--variant=och`.

    An option whose flag the command has itself, as `tune model` has `--memory`, is given as
    `--method-memory`; others may be, too. An unknown option is an error with a suggestion; a value of the
    wrong type and an option given twice are errors as well.
    """
    kinds = option_types(registry[name])
    options: dict[str, object] = {}
    words = list(context.args)
    while words:
        word = words.pop(0)
        if not word.startswith("--"):
            raise OptionError(f"unexpected argument {word!r}; an option with several values is repeated")
        flag, equals, value = word.removeprefix("--").partition("=")
        option = flag.removeprefix(f"{prefix}-").replace("-", "_")
        if kinds.get(option.removeprefix("no_")) is bool and not equals:  # --guided, --no-guided
            option, value = option.removeprefix("no_"), str(not option.startswith("no_"))
            if words and words[0].lower() in ("true", "false"):
                value = words.pop(0)
        elif option not in kinds:
            raise OptionError(f"no such option: --{flag}{_hint(registry, flag, name, context, prefix)}")
        elif not equals:
            value = words.pop(0) if words else ""
        if option in options:
            raise OptionError(f"--{flag} is given twice")
        options[option] = parse_option(f"--{flag}", kinds[option], value)
    return options


def _hint(registry: Registry[Any], flag: str, name: str, context: typer.Context, prefix: str) -> str:
    """Return which entries have the option, or a similar option."""
    option = flag.removeprefix(f"{prefix}-").replace("-", "_")
    owners = [owner for owner, entry in registry.items() if option in option_types(entry)]
    if owners:
        return f" of {name}; it is one of {', '.join(owners)}"
    shown = visible_flags(context.command)
    fields = [field.replace("_", "-") for field in option_types(registry[name])]
    known = shown + [f"--{prefix}-{field}" if f"--{field}" in shown else f"--{field}" for field in fields]
    listing = [f"tunesmith tune methods {name}"] if prefix == "method" else []
    return suggested_flag(f"--{flag}", known, f"{context.command_path} --help", *listing)
