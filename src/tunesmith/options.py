"""Options are the fields of a frozen dataclass, each described once, by `option`.

From the field come its checks (type, range, choices: `check_options`), its flag and help on the command line
(`tunesmith.cli.flags`), and its part in fingerprints (`determinants`). The types an option may have are bool,
int, float (finite), str, a Literal, any of these or None, and tuples of one of them. Fields of other types
are not checked.
"""

from __future__ import annotations

import dataclasses
import functools
import numbers
import sys
from collections.abc import Iterable, Mapping
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from tunesmith.errors import OptionError, suggest

__all__ = [
    "as_recorded",
    "build",
    "check_option",
    "check_options",
    "check_seed",
    "choices_of",
    "defaults",
    "determinants",
    "option",
    "option_types",
    "options_of",
    "parse_option",
    "require_at_least",
    "require_at_most",
    "require_positive",
    "same_option",
]

Built = TypeVar("Built")

SEEDS = 1 << 63
"""Exclusive upper bound of seeds: native code takes them as int64."""

LARGEST = sys.float_info.max
LARGEST_WHOLE = 1 << 63
"""Native code takes whole numbers as int64."""

_WHAT = {bool: "true or false", int: "a whole number", float: "a finite number", str: "a text"}


def option_types(owner: type) -> dict[str, Any]:
    """Return the type of each option."""
    hints = _hints(owner)
    return {option.name: hints[option.name] for option in options_of(owner)}


def options_of(owner: type) -> list[dataclasses.Field[Any]]:
    """Return the options in the order of arguments, keyword-only ones last."""
    return sorted(dataclasses.fields(owner), key=lambda option: option.kw_only is True)


def build(owner: type[Built], name: str, options: Mapping[str, Any]) -> Built:
    """Build a dataclass from options; an unknown one is an OptionError, `<name> has no option ...`."""
    known = [field.name for field in dataclasses.fields(owner)]  # type: ignore[arg-type]
    for option in options:
        if option not in known:
            hint = suggest(option, known)
            raise OptionError("{owner} has no option '{}'{hint}", option, owner=name, hint=hint)
    return owner(**options)


def option(
    default: Any = dataclasses.MISSING,
    *,
    help: str,  # noqa: A002 - the word of the command line
    choices: Iterable[str] | None = None,
    least: float | None = None,
    most: float | None = None,
    matters: bool = True,
    flag: str | None = None,
    off: str | None = None,
    metavar: str | None = None,
    joined: bool = False,
    kw_only: bool = False,
    panel: str | None = None,
) -> Any:
    """Return a field of a dataclass of options.

    `help` describes it on the command line; `{choices}` in it are the values of a Literal, or `choices`,
    and `{least}` and `{most}` the limits of a number (each number of a tuple). `matters` is whether results
    depend on it; fingerprints skip options that do not matter. `flag` overrides the default `--the-name`:
    `--arc-feature` of `arc_features`, `--tight/--loose`, or `--no-early-discard` alone, which turns off what
    is on by default. `off` is the value that `--no-the-name` stands for, beside `--the-name VALUE`. A tuple
    is a flag that may be repeated or, if `joined`, one text of values separated by spaces or commas. `panel`
    is the title of the part of the help that shows it; a dataclass may have titles for its options by name,
    and under "*" for all others, in `panels`.
    """
    noted = {
        "help": help,
        "choices": choices,
        "least": least,
        "most": most,
        "matters": matters,
        "flag": flag,
        "off": off,
        "metavar": metavar,
        "joined": joined,
        "panel": panel,
    }
    return dataclasses.field(default=default, metadata=noted, kw_only=kw_only)


def same_option(owner: type, name: str, default: Any = dataclasses.MISSING) -> Any:
    """Return a copy of a field of another dataclass, with its own default if given."""
    (field,) = (each for each in dataclasses.fields(owner) if each.name == name)
    value = field.default if default is dataclasses.MISSING else default
    return dataclasses.field(default=value, metadata=field.metadata)


def choices_of(field: dataclasses.Field[Any], kind: Any) -> tuple[str, ...]:
    """Return the allowed values of an option; empty if every value of its type is allowed."""
    given = field.metadata.get("choices")
    kind = _without_none(kind)[0]
    return tuple(given) if given is not None else get_args(kind) if get_origin(kind) is Literal else ()


def as_recorded(value: Any) -> Any:
    """Return the value of an option as it is when it is read from a record: JSON has lists, no tuples."""
    return list(value) if isinstance(value, tuple) else value


def determinants(owner: Any) -> dict[str, Any]:
    """Return the options that results depend on, by name."""
    fields = dataclasses.fields(owner)
    return {each.name: getattr(owner, each.name) for each in fields if each.metadata.get("matters", True)}


def defaults(owner: Any) -> dict[str, Any]:
    """Return the defaults of the options that results depend on, by name; not of those that must be given."""
    found = {}
    for each in dataclasses.fields(owner):
        if each.metadata.get("matters", True) and each.default is not dataclasses.MISSING:
            found[each.name] = each.default
    return found


def check_options(owner: Any, name: str) -> None:
    """Raise OptionError `<name>: <option> must be ...` unless every option has an allowed value."""
    kinds = option_types(type(owner))
    for field in dataclasses.fields(owner):
        kind, value = kinds[field.name], getattr(owner, field.name)
        if get_origin(kind) is tuple and isinstance(value, tuple):
            for each in value:
                _check_value(name, field, get_args(kind)[0], each)
        else:
            _check_value(name, field, kind, value)


def _check_value(name: str, field: dataclasses.Field[Any], kind: Any, value: Any) -> None:
    check_option(name, field.name, kind, value)
    if value is None:
        return
    choices = field.metadata.get("choices")
    if choices is not None and value not in choices:
        wrong = {"owner": name, "value": value, "hint": suggest(str(value), choices)}
        raise OptionError("{owner}: {} cannot be {value!r:.200}{hint}", field.name, **wrong)
    least, most = field.metadata.get("least"), field.metadata.get("most")
    if least is not None:
        require_at_least(least, name, **{field.name: value})
    if most is not None:
        require_at_most(most, name, **{field.name: value})


def check_option(name: str, option: str, kind: Any, value: object) -> None:
    """Raise OptionError `<name>: <option> must be ...` unless the value is of the type."""
    kind, optional = _without_none(kind)
    if optional and value is None:
        return
    if get_origin(kind) is Literal:
        if value not in get_args(kind):
            wrong = {"owner": name, "value": value, "hint": suggest(str(value), get_args(kind))}
            raise OptionError("{owner}: {} cannot be {value!r:.200}{hint}", option, **wrong)
    elif kind is int and isinstance(value, int) and not -LARGEST_WHOLE <= value < LARGEST_WHOLE:
        raise OptionError("{owner}: {} must be a whole number of at most 64 bits", option, owner=name)
    elif not _fits(kind, value):
        wrong = {"owner": name, "value": value, "what": _what(kind, optional)}
        raise OptionError("{owner}: {} must be {what}, not {value!r:.200}", option, **wrong)


def parse_option(flag: str, kind: Any, text: str) -> object:
    """Parse a value of the type; OptionError `<flag>: expected ..., found ...` if the text is not one."""
    kind, optional = _without_none(kind)
    if optional and text.lower() == "none" and "none" not in get_args(kind):
        return None
    if get_origin(kind) is Literal:
        if text not in get_args(kind):
            raise OptionError(f"{flag} cannot be {text!r:.200}{suggest(text, get_args(kind))}")
        return text
    if kind not in _WHAT:
        return text
    try:
        value = {"true": True, "false": False}[text.lower()] if kind is bool else kind(text)
    except (ValueError, KeyError):
        value = None
    too_large = isinstance(value, int) and not -LARGEST_WHOLE <= value < LARGEST_WHOLE
    if too_large:
        raise OptionError(f"{flag}: expected a whole number of at most 64 bits, found {text!r:.200}")
    if value is None or not _fits(kind, value):
        raise OptionError(f"{flag}: expected {_what(kind, optional)}, found {text!r:.200}")
    return value


def require_at_least(least: float, name: str, **options: float) -> None:
    """Raise OptionError unless each of the options is at least `least`."""
    for option, value in options.items():
        if not value >= least:
            wrong = {"owner": name, "least": least, "value": value}
            raise OptionError("{owner}: {} must be at least {least}, not {value}", option, **wrong)


def require_at_most(most: float, name: str, **options: float) -> None:
    """Raise OptionError unless each of the options is at most `most`."""
    for option, value in options.items():
        if not value <= most:
            wrong = {"owner": name, "most": most, "value": value}
            raise OptionError("{owner}: {} must be at most {most}, not {value}", option, **wrong)


def require_positive(name: str, **options: float | None) -> None:
    """Raise OptionError unless each of the options that are not None is above 0."""
    for option, value in options.items():
        if value is not None and not value > 0:
            raise OptionError(
                "{owner}: {} must be a positive number, not {value}", option, owner=name, value=value
            )


def check_seed(seed: int) -> None:
    """Raise OptionError unless 0 <= seed < 2^63."""
    whole = isinstance(seed, numbers.Integral) and not isinstance(seed, bool)
    if not (whole and 0 <= seed < SEEDS):
        raise OptionError("{} must be a whole number from 0 to 2^63 - 1, not {seed!r}", "seed", seed=seed)


_hints = functools.cache(get_type_hints)
"""Cached: resolving hints is slow, and pools ask for signatures often."""


def _without_none(kind: Any) -> tuple[Any, bool]:
    """Return X and True for `X | None`."""
    if get_origin(kind) not in (Union, UnionType):
        return kind, False
    kinds = [each for each in get_args(kind) if each is not NoneType]
    return (kinds[0] if len(kinds) == 1 else object), len(kinds) < len(get_args(kind))


def _fits(kind: Any, value: object) -> bool:
    if kind is bool:
        return isinstance(value, bool)
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST
    return isinstance(value, str) if kind is str else True


def _what(kind: Any, optional: bool) -> str:
    return _WHAT.get(kind, "a value") + (" or none" if optional else "")
