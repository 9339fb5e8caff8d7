"""External segmenters: programs that split text into words or parts of words, and programs that join them.

A program is a shell command that reads lines and writes as many lines, or a Python function that takes a list
of lines and returns as many, named `python:module:function` so that a model can record it.

Whoever made a model may not be who uses it. So the programs that a model names are announced before they run,
and do not run at all if the environment variable `TUNESMITH_FORBID_PROGRAMS` is set.
"""

from __future__ import annotations

import functools
import importlib
import operator
import os
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from tunesmith.build import child_environment
from tunesmith.corpus.clean import space_lines
from tunesmith.errors import InputError, OptionError, ProgramNotice
from tunesmith.files import check_single_lines
from tunesmith.texts import Texts
from tunesmith.unspaced_scripts import join_characters, split_characters

__all__ = ["CHARACTERS", "FORBID", "Program", "Segmenter", "program_name", "run_program"]

Program: TypeAlias = str | Callable[[list[str]], Sequence[str]]

FORBID = "TUNESMITH_FORBID_PROGRAMS"
"""If this environment variable is set, and not to 0, the programs that models name do not run."""

_PYTHON = "python:"
_SHOWN = 400
"""Characters of a program's messages that an error repeats."""


CHARACTERS = "characters"
"""The segmenter, and the joiner, that is no program: see `tunesmith.unspaced_scripts`."""


@dataclass(frozen=True)
class Segmenter:
    """A program that splits lines, and what undoes it: the program `join`, or `join_with` between tokens.

    `CHARACTERS` in place of a program splits scripts without spaces into characters, or joins them; as a
    segmenter it is its own inverse. `model` is the directory of the model that names the programs, None if
    the user does.
    """

    split: str
    join: str | None = None
    join_with: str | None = None
    model: str | None = None

    def of_model(self, directory: object) -> Segmenter:
        """Return the segmenter as one that a model names."""
        return replace(self, model=str(directory))

    @property
    def joins(self) -> bool:
        """Whether there is an inverse."""
        return self.join is not None or self.join_with is not None or not self.runs

    @property
    def runs(self) -> bool:
        """Whether splitting runs a program, which takes time and may do anything."""
        return self.split != CHARACTERS

    def apply(self, lines: Texts) -> Texts:
        """Return the lines split; white space in them becomes single spaces."""
        if not self.runs:
            return Texts.of(map(split_characters, lines))
        return space_lines(self._run(self.split, lines))[0]

    def invert(self, lines: Texts) -> Texts:
        """Return the lines joined; without an inverse they stay as they are."""
        if self.join_with is not None:
            return Texts.of(line.replace(" ", self.join_with) for line in lines)
        if (self.join or self.split) == CHARACTERS:
            return Texts.of(map(join_characters, lines))
        return lines if self.join is None else self._run(self.join, lines)

    def _run(self, program: str, lines: Texts) -> Texts:
        if self.model is not None:
            _check_allowed(self.model, program)
            _announce(self.model, program)
        return run_program(program, lines)


def program_name(program: Program | None, option: str) -> str | None:
    """Return the text that records a program; an OptionError if it has none, such as a nested function."""
    if program is None or isinstance(program, str):
        if program is not None and not program.strip():
            raise OptionError("{} is empty; expected a command, or python:module:function", option)
        if program is not None and program.startswith(_PYTHON):
            _function(program)
        return program
    name = f"{_PYTHON}{getattr(program, '__module__', None)}:{getattr(program, '__qualname__', None)}"
    try:
        same = _function(name) is program
    except OptionError:
        same = False
    if not same:
        raise OptionError(
            "{} must be a function that can be imported by name, so that models record it; {found!r} cannot",
            option,
            found=program,
        )
    return name


def run_program(program: str, lines: Texts) -> Texts:
    """Return what a program makes of lines; an InputError unless it succeeds, and returns as many lines."""
    if not len(lines):
        return lines
    if program.startswith(_PYTHON):
        made = list(_function(program)(list(lines)))
        check_single_lines(map(str, range(len(made))), made, program)
    else:
        made = _run_command(program, lines)
    if len(made) != len(lines):
        raise InputError(
            f"the program {program!r} returned {len(made)} lines for {len(lines)}; expected one line per line"
        )
    return Texts.of(made)


def _check_allowed(model: str, program: str) -> None:
    if os.environ.get(FORBID, "0") not in ("", "0"):
        raise InputError(
            f"names the program {program!r}, which does not run because {FORBID} is set;"
            " unset it if you trust the model, or prepare the text yourself",
            path=model,
        )


@functools.cache
def _announce(model: str, program: str) -> None:
    """Issue a notice, once per process, that a program of a model runs."""
    warnings.warn(f"{model}: the model runs the program {program!r}", ProgramNotice, stacklevel=2)


def _run_command(command: str, lines: Texts) -> list[str]:
    given = "".join(f"{line}\n" for line in lines).encode()
    done = subprocess.run(
        command, shell=True, input=given, capture_output=True, check=False, env=child_environment()
    )
    said = done.stderr.decode("utf-8", "replace").strip()[-_SHOWN:]
    if done.returncode:
        how = f"exit code {done.returncode}" if done.returncode > 0 else f"signal {-done.returncode}"
        raise InputError(f"the program {command!r} failed with {how}" + (f": {said}" if said else ""))
    try:
        made = done.stdout.decode("utf-8").split("\n")
    except UnicodeDecodeError:
        raise InputError(f"the program {command!r} wrote text that is not UTF-8") from None
    if made[-1] == "":
        made.pop()
    return [line.removesuffix("\r") for line in made]


def _function(name: str) -> Callable[[list[str]], Sequence[str]]:
    module, colon, function = name.removeprefix(_PYTHON).partition(":")
    if not (module and colon and function):
        raise OptionError(f"found {name!r}; expected python:module:function")
    try:
        with _current_folder_importable():
            found: Callable[[list[str]], Sequence[str]] = operator.attrgetter(function)(
                importlib.import_module(module)
            )
    except (ImportError, AttributeError) as error:
        raise OptionError(
            f"cannot import {name!r}: {error}; modules are found in the current folder, in PYTHONPATH and"
            " among installed packages"
        ) from None
    return found


@contextmanager
def _current_folder_importable() -> Iterator[None]:
    """Let modules of the current folder be found, as by `python -m`, but after all others."""
    here = str(Path.cwd())
    sys.path.append(here)
    try:
        yield
    finally:
        sys.path.remove(here)
