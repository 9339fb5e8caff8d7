"""Every exception that Tunesmith raises on purpose, and every warning, on one screen.

The command line maps them to exit codes: bad input or a bad result ends with 1, a wrong command line with 2.
Errors name options as data (see `Message`): `OptionError("{} must be at least 1, not {n}", "threads", n=0)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

__all__ = [
    "DegenerateError",
    "IgnoredInputWarning",
    "InputError",
    "Message",
    "NameCollisionWarning",
    "OptionError",
    "TunesmithError",
    "TunesmithWarning",
    "UnusedWeightWarning",
    "UnweightedFeatureWarning",
    "nearest",
    "no_such_option",
    "suggest",
]

_SHOWN = 10


class Message(str):
    """A text that names options as data, so that the command line can spell them as its flags.

    `{}` in the template are options in their order, `{name}` are values:
    `Message("{} must be at least {least}, not {value}", "stack_size", least=1, value=0)` reads
    `stack_size must be at least 1, not 0`. A template without either is taken as it is.
    """

    template: str
    options: tuple[str, ...]
    values: dict[str, object]

    def __new__(cls, template: str, *options: str, **values: object) -> Message:
        """Return the text with options as Python spells them."""
        if isinstance(template, Message) and not (options or values):
            return template
        text = template.format(*options, **values) if options or values else template
        made = super().__new__(cls, text)
        made.template, made.options, made.values = str(template), options, values
        return made

    def __add__(self, other: str) -> Message:
        """Return the message with `other` appended."""
        plain = not (self.options or self.values)
        more = other if plain else other.replace("{", "{{").replace("}", "}}")
        return Message(self.template + more, *self.options, **self.values)

    def spelled(self, spell: Callable[[str], str]) -> str:
        """Return the text with the name of each option as `spell` gives it."""
        return self.template.format(*map(spell, self.options), **self.values) if self.options else str(self)


class TunesmithError(Exception):
    """The base of all errors that a user can do something about."""

    exit_code = 1

    def __init__(self, message: str = "", *options: str, **values: object) -> None:
        self.message = Message(message, *options, **values)
        super().__init__(self.place + self.message)

    @property
    def place(self) -> str:
        """Prefix that says where the error is; empty if unknown."""
        return ""

    def respell(self, spell: Callable[[str], str]) -> None:
        """Rewrite the text of the error with option names as `spell` gives them."""
        self.args = (self.place + self.message.spelled(spell),)


class InputError(TunesmithError, ValueError):
    """Invalid content of a file or an array; says where, what was expected and what was found."""

    def __init__(
        self, message: str, *options: str, path: object = None, line: int | None = None, **values: object
    ) -> None:
        self.path = path
        self.line = line
        super().__init__(message, *options, **values)

    @property
    def place(self) -> str:
        """`file:line: `, as far as known."""
        if self.path is None:
            return "" if self.line is None else f"line {self.line}: "
        return f"{self.path}: " if self.line is None else f"{self.path}:{self.line}: "

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild_input_error, (self.message, self.path, self.line))


class OptionError(TunesmithError, ValueError):
    """An option, a name or a combination of options is wrong; suggests the nearest right one."""

    exit_code = 2


class DegenerateError(TunesmithError):
    """Tuning ended in a result that must not be used: zero, NaN or exploding weights, or no improvement."""


class TunesmithWarning(UserWarning):
    """The base of all warnings: work continues, but the user should look; the command line prints them."""


class ProgramNotice(TunesmithWarning):
    """A program that a model names is about to run; the command line prints it as a plain line."""


class IgnoredInputWarning(TunesmithWarning):
    """Parts of the input were dropped, as asked; says which and how many."""


class NameCollisionWarning(TunesmithWarning):
    """Two features have names with the same 64-bit key and share one weight; names both."""


class UnusedWeightWarning(TunesmithWarning):
    """Weights, or names of a whitelist, are of features that a model or lists cannot have; names some."""


class UnweightedFeatureWarning(TunesmithWarning):
    """Rules that come with sentences have features without a weight; issued once per decoder."""


def suggest(wrong: str, choices: Iterable[str]) -> str:
    """Return `; did you mean 'x'?` or the first choices, to be appended to an error message."""
    known = sorted(choices)
    if near := nearest(wrong, known):
        return near
    rest = f", ... ({len(known)} in all)" if len(known) > _SHOWN else ""
    return f"; choose from {', '.join(known[:_SHOWN])}{rest}" if known else ""


def no_such_option(option: str, owner: str, known: Iterable[str]) -> OptionError:
    """Return the error about an option that its `owner`, such as a metric, does not have."""
    wrong = {"owner": owner, "hint": suggest(option, known)}
    return OptionError("no such option: {} of {owner}{hint}", option, **wrong)


def nearest(wrong: str, choices: Iterable[str]) -> str:
    """Return `; did you mean 'x'?`, or nothing if no choice is near."""
    import difflib

    words = {choice.removeprefix("--"): choice for choice in sorted(choices)}
    near = difflib.get_close_matches(str(wrong).removeprefix("--"), words, n=1)
    return f"; did you mean {words[near[0]]!r}?" if near else ""


def _rebuild_input_error(message: str, path: object, line: int | None) -> InputError:
    return InputError(message, path=path, line=line)
