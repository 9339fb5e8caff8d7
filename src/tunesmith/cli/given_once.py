"""Options that take one value are given once: the parser itself would take the last value, silently."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, TypeVar

from tunesmith.errors import OptionError

__all__ = ["check_given_once", "named_once"]

Value = TypeVar("Value")


def check_given_once(command: Any, context: Any, words: list[str]) -> None:
    """Raise OptionError if the words of a command line give an option twice that takes one value.

    An option that is on or off may not be given twice either, `--tight --loose`; one that can only be turned
    on may, as nothing is lost.
    """
    if context.resilient_parsing:  # the shell completes an unfinished command line
        return
    _, _, order = command.make_parser(context).parse_args(args=list(words))
    for parameter, count in Counter(map(id, order)).items():
        option = next(each for each in order if id(each) == parameter)
        if count < 2 or option.param_type_name != "option" or option.multiple or option.count:
            continue
        if option.is_flag and not option.secondary_opts:
            continue
        flags = "/".join((*_longest(option.opts), *_longest(option.secondary_opts)))
        raise OptionError(f"{flags} is given {_times(count)}; expected it once, with one value")


def named_once(flag: str, pairs: Iterable[tuple[str, Value]]) -> dict[str, Value]:
    """Return the values of a repeated option NAME=VALUE by name; a name given twice is an OptionError."""
    found: dict[str, Value] = {}
    for name, value in pairs:
        if name in found:
            raise OptionError(f"{flag} gives {name!r} twice; expected each name once")
        found[name] = value
    return found


def _longest(spellings: list[str]) -> list[str]:
    return [max(spellings, key=len)] if spellings else []


def _times(count: int) -> str:
    return "twice" if count == 2 else f"{count} times"
