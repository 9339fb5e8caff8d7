"""Every exception that Tunesmith raises on purpose, and every warning, on one screen.

The command line maps them to exit codes: bad input or a bad result ends with 1, a wrong
command line with 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

__all__ = [
    "DegenerateError",
    "InputError",
    "OptionError",
    "TunesmithError",
    "TunesmithWarning",
    "UnweightedFeatureWarning",
    "nearest",
    "suggest",
]

_SHOWN = 10


class TunesmithError(Exception):
    """The base of all errors that a user can do something about."""

    exit_code = 1


class InputError(TunesmithError, ValueError):
    """A file or an array does not hold what it must; says where, what was expected and what was found."""

    def __init__(self, message: str, *, path: object = None, line: int | None = None) -> None:
        if path is None:
            where = "" if line is None else f"line {line}: "
        else:
            where = f"{path}: " if line is None else f"{path}:{line}: "
        super().__init__(where + message)
        self.path = path
        self.line = line
        self.message = message

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild_input_error, (self.message, self.path, self.line))


class OptionError(TunesmithError, ValueError):
    """An option, a name or a combination of options is wrong; suggests the nearest right one.

    The names of options are data, so that the command line can spell them as its flags: `{}` in the message
    are `options` in their order, `{name}` are `values`, as in
    `OptionError("{} must be at least {least}, not {value}", "stack_size", least=1, value=0)`.
    A message without either is taken as it is.
    """

    exit_code = 2

    def __init__(self, message: str, *options: str, **values: object) -> None:
        self.message = message
        self.options = options
        self.values = values
        super().__init__(self.spelled(str))

    def spelled(self, spell: Callable[[str], str]) -> str:
        """Return the message with the name of each option as `spell` gives it."""
        if not (self.options or self.values):
            return self.message
        return self.message.format(*map(spell, self.options), **self.values)


class DegenerateError(TunesmithError):
    """Tuning ended in a result that must not be used: zero, NaN or exploding weights, or no improvement."""


class TunesmithWarning(UserWarning):
    """The base of all warnings: work goes on, and the user should look; the command line prints them."""


class UnweightedFeatureWarning(TunesmithWarning):
    """Rules that come with sentences have features without a weight; given once by each decoder."""


def suggest(wrong: str, choices: Iterable[str]) -> str:
    """Return `; did you mean 'x'?` or the first choices, to be appended to an error message."""
    known = sorted(choices)
    if near := nearest(wrong, known):
        return near
    rest = f", ... ({len(known)} in all)" if len(known) > _SHOWN else ""
    return f"; choose from {', '.join(known[:_SHOWN])}{rest}" if known else ""


def nearest(wrong: str, choices: Iterable[str]) -> str:
    """Return `; did you mean 'x'?`, or nothing if no choice is near."""
    import difflib

    near = difflib.get_close_matches(wrong, sorted(choices), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""


def _rebuild_input_error(message: str, path: object, line: int | None) -> InputError:
    return InputError(message, path=path, line=line)
