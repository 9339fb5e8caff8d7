"""The files of a call of a command, compared before it begins: no output is an input or another output.

Each parameter for a path says what the command does with it (`tunesmith.file_roles`). Files are the same if
they have one resolved path or are links to one inode. Standard input, devices and pipes may be given twice.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from tunesmith.cli.recorded_files import WEIGHTS, files_of_model, is_model, kinds_in, owner_of
from tunesmith.errors import OptionError
from tunesmith.file_roles import InFolder, Reads, Writes
from tunesmith.files import check_output, same_file
from tunesmith.leftovers import remove_leftovers

__all__ = ["check_given_files", "role_of"]

Role = Reads | Writes | InFolder


def role_of(annotation: Any) -> Role | tuple[Reads, Writes] | None:
    """Return what a parameter's type says about its paths; None if it does not say it."""
    marks = [
        mark
        for mark in getattr(annotation, "__metadata__", ())
        if isinstance(mark, Reads | Writes | InFolder)
    ]
    return None if not marks else marks[0] if len(marks) == 1 else (marks[0], marks[1])  # type: ignore[return-value]


def check_given_files(parameters: Iterable[inspect.Parameter], values: Mapping[str, Any]) -> None:
    """Raise OptionError if a file that a call of a command would write is one that it is to read or write.

    So is a file of a model, a run or a store, whether it is read or not, and a folder of the command's own
    that has an input in it. The files of which a model consists are read with it, wherever they lie.
    Outputs that cannot be written are an InputError (`files.check_output`).
    """
    given = _GivenFiles()
    for parameter in parameters:
        marks = role_of(parameter.annotation)
        for mark in marks if isinstance(marks, tuple) else (marks,):
            for value in _texts(values.get(parameter.name)):
                given.add(mark, value, values)
    given.check()


@dataclass
class _GivenFiles:
    read: list[tuple[Path, Reads]] = field(default_factory=list)
    written: list[tuple[Path, Writes]] = field(default_factory=list)
    folders: list[tuple[Path, Writes]] = field(default_factory=list)

    def add(self, mark: Role | None, value: str, values: Mapping[str, Any]) -> None:
        if isinstance(mark, Reads):
            self.read += ((path, mark) for path in mark.files(value, values))
        elif isinstance(mark, Writes) and mark.is_folder(value, values):
            self.folders.append((Path(value), mark))
        elif isinstance(mark, Writes):
            self.written += ((path, mark) for path in mark.files(value, values))

    def check(self) -> None:
        inputs = [_Input(path, mark) for path, mark in self.read if _may_be_lost(path)]
        outputs = [(path, mark) for path, mark in self.written if _may_be_lost(path)]
        for path, mark in outputs:
            _check_output_file(path, mark, inputs)
        for folder, mark in self.folders:
            _check_output_folder(folder, mark, inputs)
        streams = [path for path, _ in self.written if str(path) == "-"]
        places = [*(path for path, _ in (*outputs, *self.folders)), *streams]
        for number, path in enumerate(places):
            if any(same_file(path, other) for other in places[:number]):
                raise OptionError(f"{path} is another output too; choose another name for the output")
        self._prepare(path for path, _ in outputs)

    def _prepare(self, outputs: Iterable[Path]) -> None:
        """Check that the files can be written, and remove what killed processes have left of them."""
        for path, _ in self.written:
            if str(path) != "-":
                check_output(path)
        names: dict[Path, set[str]] = {}
        for path in outputs:
            place = Path(os.path.realpath(path))
            names.setdefault(place.parent, set()).add(place.name)
        for folder, own in names.items():
            remove_leftovers(folder, own.__contains__)


@dataclass(frozen=True)
class _Input:
    """A file or a folder that is read."""

    path: Path
    mark: Reads

    @cached_property
    def of_model(self) -> list[Path]:
        """The files of which the model consists that is read; none if it is no model."""
        if not is_model(self.path):
            return []
        own = self.path / WEIGHTS
        return [path for path in files_of_model(self.path) if self.mark.with_weights or path != own]

    def has(self, path: Path) -> bool:
        """Whether a file that exists is one of those that are read."""
        if not self.path.is_dir():
            return False
        if is_model(self.path):
            return any(same_file(path, other) for other in self.of_model)
        names = _names_in(self.path, path)
        if self.mark.of_folder is not None:
            return any(map(self.mark.of_folder, names))
        return bool(names) and not kinds_in(self.path)  # the files of a kind have been compared


def _check_output_file(path: Path, mark: Writes, inputs: Iterable[_Input]) -> None:
    if owner := owner_of(path, may_be_weights=mark.weights):
        raise OptionError(f"{path} is a file of {owner}; choose another name for the output")
    for other in inputs:
        if same_file(path, other.path):
            raise OptionError(f"{path} is an input too; choose another name for the output")
        if path.is_file() and other.has(path):
            raise OptionError(
                f"{path} is a file of the input {other.path}; choose another name for the output"
            )


def _check_output_folder(folder: Path, mark: Writes, inputs: Iterable[_Input]) -> None:
    for other in inputs:
        if same_file(folder, other.path):
            raise OptionError(f"{folder} is an input too; choose another folder for the output")
        if not folder.is_dir():
            continue
        for path in (other.path, *other.of_model):
            if path.exists() and any(mark.replaces(folder, name) for name in _names_in(folder, path)):
                raise OptionError(
                    f"the input {path} is in the folder of the output, {folder}; choose another folder"
                )


def _texts(value: Any) -> Iterator[str]:
    for each in value if isinstance(value, list | tuple) else (value,):
        if isinstance(each, str | os.PathLike):
            yield os.fspath(each)


def _may_be_lost(path: Path) -> bool:
    """Whether this is not a stream, a device or a pipe, which are never replaced."""
    return str(path) != "-" and (path.is_file() or path.is_dir() or not path.exists())


def _names_in(folder: Path, path: Path) -> set[str]:
    """Return the names of a file relative to a folder, as given and with links followed, if it is inside."""
    found = set[str]()
    for find in (os.path.abspath, os.path.realpath):
        own, place = Path(find(folder)), Path(find(path))
        if place.is_relative_to(own):
            found.add(place.relative_to(own).as_posix())
    return found
