"""One word, one meaning: a flag is the same kind of thing in all commands that have it."""

from __future__ import annotations

import importlib
import inspect
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.commands import COMMANDS
from typer.main import get_command

from tunesmith.cli.flags import expanded
from tunesmith.cli.given_files import role_of
from tunesmith.file_roles import Writes


class Flag(NamedTuple):
    """A flag of a command: what it takes, its other spellings, and its help."""

    command: str
    name: str
    takes: str
    spellings: tuple[str, ...]
    help: str


def _commands(group: Any, *names: str) -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _commands(command, *names, name)
        else:
            yield " ".join((*names, name)), command


ALL = dict(_commands(get_command(COMMANDS)))


def _takes(parameter: Any, annotation: Any) -> str:
    if parameter.is_flag:
        return "nothing"
    kind = parameter.type_descriptor.annotation
    kind = kind.__args__[0] if hasattr(kind, "__args__") else kind
    roles = role_of(annotation)
    if issubclass(kind, Path) or isinstance(roles, Writes) or (roles and parameter.metavar == "<path>"):
        return "a path"
    return "a number" if issubclass(kind, int | float) else "a text"


def _flags(command: str) -> Iterator[Flag]:
    annotations = inspect.signature(expanded(importlib.import_module(ALL[command].module).run)).parameters
    for parameter in ALL[command].load().params:
        if parameter.param_type_name == "option":
            takes = _takes(parameter, annotations[parameter.name].annotation)
            spellings = (*parameter.opts, *parameter.secondary_opts)
            for name in spellings:
                yield Flag(command, name, takes, spellings, parameter.help or "")


FLAGS: dict[str, list[Flag]] = defaultdict(list)
for _command in ALL:
    for _found in _flags(_command):
        FLAGS[_found.name].append(_found)
SHARED = sorted(name for name, flags in FLAGS.items() if len(flags) > 1)

PATHS_BESIDE_TEXT: dict[str, str] = {}
"""Flags that may take different things, with the reason; there is none."""


@pytest.mark.parametrize("name", SHARED)
def test_a_flag_takes_the_same_kind_of_value_in_all_commands(name: str) -> None:
    found: dict[str, list[str]] = defaultdict(list)
    for flag in FLAGS[name]:
        found[flag.takes].append(flag.command)
    assert len(found) == 1, dict(found)


@pytest.mark.parametrize("name", SHARED)
def test_a_switch_has_the_same_form_in_all_commands(name: str) -> None:
    found: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for flag in FLAGS[name]:
        words = tuple(word for word in flag.spellings if word.startswith("--"))
        found[words].append(flag.command)
    assert len(found) == 1, dict(found)
