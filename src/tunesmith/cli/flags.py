"""Options in messages as the command line spells them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Any

__all__ = ["all_flags", "with_flags"]

_PYTHON_NAME = re.compile(r"(?<![\w'\"`.-])[a-z]+(?:_[a-z]+)+(?![\w'\"`=(]|\.\w)")
"""A name of several words, but for what is quoted, called or assigned to."""


def all_flags(command: Any) -> Iterator[str]:
    """Yield the options of a command of typer's, and of all commands below it."""
    for parameter in command.params:
        yield from (*parameter.opts, *parameter.secondary_opts)
    for below in getattr(command, "commands", {}).values():
        yield from all_flags(below)


def with_flags(message: str, flags: Collection[str], options: Collection[str] = ()) -> str:
    """Write `stack_size` as `--stack-size`, where that is an option.

    `early_discard`, which the command line can only switch off, is `--no-early-discard`; `arc_features`,
    which it takes one by one, are `--arc-feature`. Names of one word, such as `memory`, may be words like
    others: only those of `options` are written as flags.
    """

    def spelled(found: re.Match[str]) -> str:
        name = found[0].replace("_", "-")
        choices = (f"--{name}", f"--no-{name}", f"--{name.removesuffix('s')}")
        return next((flag for flag in choices if flag in flags), found[0])

    for option in options:
        if "_" not in option:
            message = re.sub(rf"(?<![\w-]){option}(?!\w)", spelled, message)
    return _PYTHON_NAME.sub(spelled, message)
