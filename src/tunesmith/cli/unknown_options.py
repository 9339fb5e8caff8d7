"""Options that a command does not have: one form of the error in all commands, with a useful suggestion."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import typer

from tunesmith.errors import OptionError, nearest

__all__ = ["refusing_unknown", "suggested_flag", "visible_flags"]

RELATED = (
    ("iterations", "epochs", "rounds", "passes", "optimizer-iterations", "em-iterations"),
    ("fold-file", "folds"),
    ("aligner", "model"),
    ("learners", "threads"),
    ("nbest", "size", "k", "list-size"),
    ("class-file", "classes"),
    ("mixture-weights", "weights"),
    ("missing-weight", "missing"),
    ("table-weight", "interpolate"),
    ("held-out-lists", "held-out"),
    ("average-steps", "average"),
    ("reordering-table", "reordering"),
    ("references-per-pair", "references"),
    ("select-source", "dev-source", "tune-source"),
    ("select-references", "dev-references", "tune-references"),
)
"""Words for things alike, of which a command has one: those of other commands, and of other programs."""

_USAGE_ERROR: Any = typer.BadParameter.__base__


def visible_flags(command: Any) -> list[str]:
    """Return the flags that the help of a command shows."""
    shown = (each for each in command.params if not getattr(each, "hidden", False))
    return [
        flag
        for parameter in shown
        if parameter.param_type_name == "option"
        for flag in (*parameter.opts, *parameter.secondary_opts)
    ]


def suggested_flag(wrong: str, flags: Iterable[str], *commands: str) -> str:
    """Return `; did you mean '--epochs'?`, or the commands that list the flags."""
    known = set(flags)
    word = wrong.lstrip("-")
    for related in RELATED:
        if word in related:
            for other in related:
                if f"--{other}" in known:
                    return f"; did you mean '--{other}'?"
    listing = " and ".join(f"`{command}`" for command in commands)
    return nearest(wrong, known) or f"; {listing} {'lists' if len(commands) == 1 else 'list'} them"


@contextmanager
def refusing_unknown(command: Any, context: Any) -> Iterator[None]:
    """Raise OptionError where the parser finds an option that the command does not have."""
    try:
        yield
    except _USAGE_ERROR as error:
        if not hasattr(error, "possibilities"):  # as errors about unknown options have
            raise
        name = error.option_name
        hint = suggested_flag(name, visible_flags(command), f"{context.command_path} --help")
        raise OptionError(f"no such option: {name}{hint}") from None
