"""What a command does with a path that it is given: a mark in the type of the parameter or option.

    source: Annotated[Path, typer.Option(help="..."), Reads()]
    fold_file: Annotated[Path | None, Reads()] = option(None, help="...")

The command line compares what all paths of a call stand for before the command begins (`cli/given_files.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

__all__ = ["FilesOf", "InFolder", "Reads", "Writes", "itself", "named_like", "own_folder_of", "with_suffixes"]

FilesOf: TypeAlias = Callable[[str, Mapping[str, Any]], Iterable[Path]]
"""From a value, and the values of all parameters of the command by name, to the files that it stands for."""


def itself(value: str, values: Mapping[str, Any]) -> tuple[Path]:
    """Return the value as the path of one file."""
    return (Path(value),)


def with_suffixes(*suffixes: str) -> FilesOf:
    """Return what makes `PREFIX.SUFFIX` of a prefix, for each suffix."""
    return lambda prefix, values: [Path(f"{prefix}.{suffix}") for suffix in suffixes]


@dataclass(frozen=True)
class Reads:
    """A file, or a folder, that the command reads.

    Of a folder it reads the files whose names are `of_folder`. Of a model it reads all that the model
    consists of, wherever that lies, `with_weights` or without.
    """

    files: FilesOf = itself
    of_folder: Callable[[str], bool] | None = None
    with_weights: bool = True


@dataclass(frozen=True)
class Writes:
    """Files that the command replaces, or if `is_folder` a folder.

    The folder is the command's own with all in it, or if not all files there are, those that `replaces` says,
    by the folder and their names in it. Files that may be the weights of a model are `weights`.
    """

    files: FilesOf = itself
    is_folder: Callable[[str, Mapping[str, Any]], bool] = lambda value, values: False
    replaces: Callable[[Path, str], bool] = lambda folder, name: True
    weights: bool = False


@dataclass(frozen=True)
class InFolder:
    """A folder among whose files the command finds or keeps some under names of its own."""


def named_like(pattern: str) -> Callable[[Path, str], bool]:
    """Return what says that a command which adds files to a folder replaces those whose names match."""
    return lambda folder, name: re.fullmatch(pattern, name) is not None


def own_folder_of(value: str, values: Mapping[str, Any]) -> bool:
    """Say that the value is a folder of the command's own."""
    return True
