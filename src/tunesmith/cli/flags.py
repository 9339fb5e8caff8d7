"""Flags from dataclasses: a parameter of a command whose type is one becomes a flag per option.

The fields made by `tunesmith.options.option` are the flags; their names, types, defaults and help come from
there. Where errors of the library name options, the command line spells their flags.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial, wraps
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import typer
from typer.core import TyperCommand

from tunesmith.cli.given_files import check_given_files, role_of
from tunesmith.cli.given_once import check_given_once
from tunesmith.cli.unknown_options import refusing_unknown
from tunesmith.cli.values import read_plainly
from tunesmith.errors import Message, OptionError, TunesmithError
from tunesmith.options import choices_of, option_types, parse_option

__all__ = ["Given", "Spells", "Subcommand", "expanded", "spelled"]

_REGISTRY = re.compile(r"\{([\w.]+):(\w+)\}")
_CHOSEN = {
    "method": "tunesmith.tuning.method:METHODS",
    "update": "tunesmith.tuning.online.updates.base:UPDATES",
}
"""Parameters that choose an entry of a registry, whose options the command takes as flags, too."""
_RUNNING: list[tuple[Subcommand, Any]] = []
"""The command that runs, with its context."""


class Given:
    """In a parameter's type: the flags of one or several dataclasses, read as a dictionary.

    `Annotated[dict[str, Any], Given(SearchOptions, ChartOptions)]` contains only the options that the
    command line names. `omit` lists options without a flag here; `default` is shown as the default in help
    where it is not the field's, and `defaults` by option.
    """

    def __init__(
        self,
        *owners: type,
        omit: tuple[str, ...] = (),
        default: str = "",
        defaults: Mapping[str, str] | None = None,
        make: Callable[[dict[str, Any]], Any] = dict,
    ) -> None:
        self.owners = owners
        self.omit = omit
        self.default = default
        self.defaults = defaults or {}
        self.make = make


class Spells(str):
    """In a parameter's type, beside typer's annotation: the name of the option in the library."""


@dataclasses.dataclass(frozen=True)
class _Flag:
    """One option as a parameter for typer."""

    option: str
    name: str
    spelled: str
    annotation: Any
    default: Any
    constant: Any = None
    """What the option is if its flag, which takes no value, is given."""
    choices: tuple[str, ...] = ()
    part: Any = None
    """Type of the values in a joined text."""

    @property
    def parameter(self) -> inspect.Parameter:
        kind = inspect.Parameter.KEYWORD_ONLY
        return inspect.Parameter(self.name, kind, default=self.default, annotation=self.annotation)

    def chosen(self, value: Any) -> Any:
        """Return the value that the library takes, None if the command line does not name the option."""
        if self.constant is not None:
            return self.constant if value else None
        if self.choices and isinstance(value, str) and value.startswith("-") and value not in self.choices:
            among = _shown(self.choices)
            raise OptionError(f"{self.spelled} needs a value, one of {among}, but found {value!r:.60}")
        if isinstance(value, list):
            return tuple(value) or None
        if self.part is not None and value is not None:
            words = value.replace(",", " ").split()
            return tuple(parse_option(self.spelled, self.part, word) for word in words)
        return value


def expanded(command: Callable[..., None]) -> Callable[..., None]:
    """Return the command with flags in place of its parameters that are dataclasses of options."""
    whole = inspect.signature(command, eval_str=True)
    parameters: list[inspect.Parameter] = []
    groups: dict[str, tuple[Callable[[dict[str, Any]], Any], list[_Flag]]] = {}
    spelled: dict[str, str] = {}
    for parameter in whole.parameters.values():
        kind, given = _options_type(parameter.annotation)
        if kind is None and given is None:
            parameters.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY))
            for note in getattr(parameter.annotation, "__metadata__", ()):
                if isinstance(note, Spells):
                    spelled[note] = "--" + parameter.name.replace("_", "-")
            continue
        owners = (kind,) if given is None else given.owners
        flags = list(_flags(owners, given))
        make = _maker(kind) if given is None else given.make
        groups[parameter.name] = make, flags
        parameters += [flag.parameter for flag in flags]
        spelled |= {flag.option: flag.spelled for flag in reversed(flags)}

    @wraps(command)
    def taking(**values: Any) -> None:
        check_given_files(parameters, values)
        for name, (make, flags) in groups.items():
            values[name] = make(_read(flags, values))
        command(**values)

    taking.__signature__ = whole.replace(parameters=parameters)  # type: ignore[attr-defined]
    taking.__annotations__ = {each.name: each.annotation for each in parameters}
    taking.flags = spelled  # type: ignore[attr-defined]
    return taking


class Subcommand(TyperCommand):
    """A command whose errors name flags, and whose help lists the names in registries."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the command line; an option of one value that is given twice is an error."""
        with refusing_unknown(self, ctx):
            check_given_once(self, ctx, args)
            rest = super().parse_args(ctx, args)
        if ctx.ignore_unknown_options:
            self._release_flags(ctx)
        return rest

    def _release_flags(self, ctx: Any) -> None:
        """Put flags of a method back before their values, if the parser took one for an argument."""
        for each in reversed(self.params):
            word = str(ctx.params.get(each.name))
            if each.param_type_name == "argument" and word.startswith("--"):
                ctx.args.insert(0, word)
                if not each.required:
                    ctx.params[each.name] = None

    def invoke(self, ctx: Any) -> Any:
        """Run the command, if no other build has started it; `--help` and `--version` always answer."""
        if "TUNESMITH_BUILD" in os.environ:  # started by another of our commands
            from tunesmith.build import check_parent

            check_parent()
        _RUNNING.append((self, ctx))
        try:
            return super().invoke(ctx)
        except TunesmithError as error:
            error.respell(self.spelling(ctx, error.message))
            raise
        finally:
            _RUNNING.pop()

    def spelling(self, ctx: Any, message: Message) -> Callable[[str], str]:
        """Return what spells the options in a message: the command's, or those of the method it chooses."""
        chosen = {each: ctx.params[each] for each in _CHOSEN if ctx.params.get(each) is not None}
        for parameter, entry in chosen.items():
            if message.values.get("owner") == entry:
                return partial(self._chosen_flag, parameter)
        own = {name for each, entry in chosen.items() for name in _options_of_entry(_CHOSEN[each], entry)}
        return partial(self.flag, chosen=own)

    def flag(self, option: str, chosen: Collection[str] = ()) -> str:
        """Return the flag of a library option; one without a flag keeps its Python name.

        A switch that is turned off, `NAME=False`, has the flag `--no-NAME`. `chosen` are options of the
        chosen method, which are flags unless the command has one of that name.
        """
        known: dict[str, str] = getattr(self.callback, "flags", {})
        word = option.replace("_", "-")
        if option.endswith("=False"):
            word = f"no-{word.removesuffix('=False')}"
        own = {opt for each in self.params for opt in (*each.opts, *each.secondary_opts)}
        choices = (known.get(option, ""), f"--{word}", f"--no-{word}", f"--{word.removesuffix('s')}")
        of_chosen = option in chosen or any(
            option.startswith(f"{each}_") and f"--{each}" in own for each in _CHOSEN
        )
        return next((flag for flag in choices if flag in own), f"--{word}" if of_chosen else option)

    def _chosen_flag(self, parameter: str, option: str) -> str:
        """Return the flag of an option of a method or update; `--method-...` if the command has that flag."""
        word = option.replace("_", "-")
        return f"--{parameter}-{word}" if self.flag(option) != option else f"--{word}"

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters."""
        return read_plainly(super().get_params(ctx))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help, with the names of registries, `{module:REGISTRY}`, filled in."""
        from tunesmith.cli.help import describe_values, whole_flags

        for parameter in self.params:
            if text := getattr(parameter, "help", None):
                parameter.help = _REGISTRY.sub(_names, text)  # type: ignore[attr-defined]
        describe_values(self.get_params(ctx))
        with whole_flags():
            super().format_help(ctx, formatter)


def spelled(text: str) -> str:
    """Return a text, such as that of a warning, with options as the flags of the command that runs."""
    if not (isinstance(text, Message) and _RUNNING):
        return text
    command, context = _RUNNING[-1]
    return text.spelled(command.spelling(context, text))


def _names(found: re.Match[str]) -> str:
    return ", ".join(_registry(found[0].strip("{}")).built_in())


def _registry(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)


def _options_of_entry(registry: str, name: str) -> Collection[str]:
    known = _registry(registry)
    return option_types(known[name]) if name in known else ()


def _read(flags: list[_Flag], values: dict[str, Any]) -> dict[str, Any]:
    """Return the options that a command line names, which are no longer among its values."""
    read: dict[str, Any] = {}
    by: dict[str, str] = {}
    for flag in flags:
        if (value := flag.chosen(values.pop(flag.name))) is not None:
            if flag.option in read:
                raise OptionError(
                    f"{by[flag.option]} and {flag.spelled} exclude each other: give one of them"
                )
            read[flag.option], by[flag.option] = value, flag.spelled
    return read


def _options_type(annotation: Any) -> tuple[Any, Given | None]:
    """Return a parameter's dataclass of options, or its `Given`."""
    if get_origin(annotation) is Annotated:
        notes = get_args(annotation)[1:]
        return None, next((note for note in notes if isinstance(note, Given)), None)
    return (annotation if dataclasses.is_dataclass(annotation) else None), None


def _maker(owner: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda options: owner(**options)


def _flags(owners: tuple[Any, ...], given: Given | None) -> Iterator[_Flag]:
    """Yield the flags of all options; one that several dataclasses have is described by the first."""
    seen = set(() if given is None else given.omit)
    for owner in owners:
        types, marked = option_types(owner), get_type_hints(owner, include_extras=True)
        for field in dataclasses.fields(owner):
            if "help" in field.metadata and field.name not in seen:
                seen.add(field.name)
                flag = _flag(field, types[field.name], given, _panel(owner, field))
                role = role_of(marked[field.name])
                yield (
                    flag
                    if role is None
                    else dataclasses.replace(flag, annotation=Annotated[flag.annotation, role])
                )
                if (value := field.metadata.get("off")) is not None:
                    yield _off_flag(flag, value, _panel(owner, field))


def _panel(owner: Any, field: dataclasses.Field[Any]) -> str | None:
    """Return the title of the part of the help that shows an option; None for the main part."""
    titles: Mapping[str, str | None] = getattr(owner, "panels", {})
    return field.metadata["panel"] or titles.get(field.name, titles.get("*"))


def _flag(field: dataclasses.Field[Any], kind: Any, given: Given | None, panel: str | None) -> _Flag:
    spelled = field.metadata["flag"] or _usual_flag(field, kind, given)
    word = spelled.partition("/")[0]
    taken = _taken(kind)
    off = taken is bool and field.default is True and spelled == word
    choices = choices_of(field, kind)
    text = field.metadata["help"].replace("{choices}", _shown(choices))
    for limit in ("least", "most"):
        text = text.replace(f"{{{limit}}}", str(field.metadata[limit]))
    unset = given is not None or field.default is None or get_origin(kind) is tuple
    if unset and not off and (default := _default(field, spelled, given)):
        text = f"{text} [default: {default}]"
    option = typer.Option(spelled, help=text, metavar=field.metadata["metavar"], rich_help_panel=panel)
    if off:
        name = word.removeprefix("--").replace("-", "_")
        return _Flag(field.name, name, word, Annotated[bool, option], False, constant=False)
    if unset:
        part = get_args(kind)[0] if field.metadata["joined"] else None
        taken = taken if part is None else str
        annotation: Any = Annotated[taken | None, option]
        return _Flag(field.name, field.name, word, annotation, None, choices=choices, part=part)
    value = inspect.Parameter.empty if field.default is dataclasses.MISSING else field.default
    return _Flag(field.name, field.name, word, Annotated[taken, option], value, choices=choices)


def _off_flag(flag: _Flag, value: str, panel: str | None) -> _Flag:
    """Return the flag `--no-the-name`, short for a value of a flag."""
    spelled = f"--no-{flag.spelled.removeprefix('--')}"
    option = typer.Option(spelled, help=f"The same as {flag.spelled} {value}.", rich_help_panel=panel)
    return _Flag(flag.option, f"no_{flag.name}", spelled, Annotated[bool, option], False, constant=value)


def _usual_flag(field: dataclasses.Field[Any], kind: Any, given: Given | None) -> str:
    word = field.name.replace("_", "-")
    both = _taken(kind) is bool and (given is not None or field.default is not False)
    return f"--{word}/--no-{word}" if both else f"--{word}"


def _default(field: dataclasses.Field[Any], spelled: str, given: Given | None) -> str:
    """Return the default as help shows it, for options without a default in typer; empty if none."""
    value: Any = field.default
    if given is not None and (shown := given.defaults.get(field.name, given.default)):
        return shown
    if value is None or value is dataclasses.MISSING:
        return ""
    if isinstance(value, bool):
        return spelled.split("/")[0 if value else -1].removeprefix("--") if "/" in spelled else ""
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _taken(kind: Any) -> Any:
    """Return the type that typer parses: texts are checked by the library; of a mapping, one per entry."""
    if get_origin(kind) in (Union, UnionType):
        kinds = [each for each in get_args(kind) if each is not NoneType]
        return _taken(kinds[0]) if len(kinds) == 1 else str
    if get_origin(kind) is Literal:
        return str
    if get_origin(kind) is Mapping:
        return list[str]
    return list[get_args(kind)[0]] if get_origin(kind) is tuple else kind  # type: ignore[misc]


def _shown(choices: tuple[str, ...]) -> str:
    return " or ".join(filter(None, (", ".join(choices[:-1]), *choices[-1:])))
