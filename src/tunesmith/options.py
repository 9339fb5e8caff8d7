"""Options are the fields of a frozen dataclass: checked by their types, or parsed from text.

The types an option may have are bool, int, float (finite), str, a Literal, and any of these or None.
A field of another type is taken as it comes.
"""

from __future__ import annotations

import dataclasses
import functools
import numbers
import sys
from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from tunesmith.errors import OptionError, suggest

__all__ = [
    "build",
    "check_option",
    "check_options",
    "check_seed",
    "option_types",
    "options_of",
    "parse_option",
    "require_at_least",
    "require_at_most",
    "require_positive",
]

Built = TypeVar("Built")

SEEDS = 1 << 63
"""Seeds cross to native code, which counts to this."""

LARGEST = sys.float_info.max

_WHAT = {bool: "true or false", int: "a whole number", float: "a finite number", str: "a text"}


def option_types(owner: type) -> dict[str, Any]:
    """Return the type of each option."""
    hints = _hints(owner)
    return {option.name: hints[option.name] for option in options_of(owner)}


def options_of(owner: type) -> list[dataclasses.Field[Any]]:
    """Return the options in the order of arguments: those that have to be named come last."""
    return sorted(dataclasses.fields(owner), key=lambda option: option.kw_only is True)


def build(owner: type[Built], name: str, options: Mapping[str, Any]) -> Built:
    """Build a dataclass from options; one that it has not is an OptionError, `<name> has no option ...`."""
    known = [field.name for field in dataclasses.fields(owner)]  # type: ignore[arg-type]
    for option in options:
        if option not in known:
            raise OptionError(f"{name} has no option {option!r}{suggest(option, known)}")
    return owner(**options)


def check_options(owner: object, name: str) -> None:
    """Raise OptionError unless every field of `owner` has a value of its type."""
    for option, kind in option_types(type(owner)).items():
        check_option(name, option, kind, getattr(owner, option))


def check_option(name: str, option: str, kind: Any, value: object) -> None:
    """Raise OptionError `<name>: <option> must be ...` unless the value is of the type."""
    kind, optional = _without_none(kind)
    if optional and value is None:
        return
    if get_origin(kind) is Literal:
        if value not in get_args(kind):
            hint = suggest(str(value), get_args(kind))
            raise OptionError(f"{name}: {option} cannot be {value!r}{hint}")
    elif not _fits(kind, value):
        raise OptionError(f"{name}: {option} must be {_what(kind, optional)}, not {value!r}")


def parse_option(flag: str, kind: Any, text: str) -> object:
    """Read a value of the type from text; OptionError `<flag>: expected ..., found ...` if it is none."""
    kind, optional = _without_none(kind)
    if optional and text.lower() == "none":
        return None
    if get_origin(kind) is Literal:
        if text not in get_args(kind):
            raise OptionError(f"{flag} cannot be {text!r}{suggest(text, get_args(kind))}")
        return text
    if kind not in _WHAT:
        return text
    try:
        value = {"true": True, "false": False}[text.lower()] if kind is bool else kind(text)
    except (ValueError, KeyError):
        value = None
    if value is None or not _fits(kind, value):
        raise OptionError(f"{flag}: expected {_what(kind, optional)}, found {text!r}")
    return value


def require_at_least(least: int, name: str, **options: float) -> None:
    """Raise OptionError unless each of the options is at least `least`."""
    for option, value in options.items():
        if not value >= least:
            raise OptionError(f"{name}: {option} must be at least {least}, not {value}")


def require_at_most(most: int, name: str, **options: float) -> None:
    """Raise OptionError unless each of the options is at most `most`."""
    for option, value in options.items():
        if not value <= most:
            raise OptionError(f"{name}: {option} must be at most {most}, not {value}")


def require_positive(name: str, **options: float | None) -> None:
    """Raise OptionError unless each of the options that are not None is above 0."""
    for option, value in options.items():
        if value is not None and not value > 0:
            raise OptionError(f"{name}: {option} must be a positive number, not {value}")


def check_seed(seed: int) -> None:
    """Raise OptionError unless 0 <= seed < 2^63."""
    whole = isinstance(seed, numbers.Integral) and not isinstance(seed, bool)
    if not (whole and 0 <= seed < SEEDS):
        raise OptionError(f"the seed must be a whole number from 0 to 2^63 - 1, not {seed!r}")


_hints = functools.cache(get_type_hints)
"""Reading hints is slow, and pools ask for signatures often."""


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
