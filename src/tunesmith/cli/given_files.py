"""The files of a call of a command, compared before it begins: no output is an input or another output.

Each parameter for a path says what the command does with it (`tunesmith.file_roles`). Files are the same if
they have one resolved path or are links to one inode. Standard input, devices and pipes may be given twice.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tunesmith.errors import InputError, OptionError
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

    So is a file that a model has recorded, and a folder of the command's own that has an input in it. Outputs
    that cannot be written are an InputError (`files.check_output`).
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
    read: list[Path] = field(default_factory=list)
    written: list[Path] = field(default_factory=list)
    folders: list[Path] = field(default_factory=list)

    def add(self, mark: Role | None, value: str, values: Mapping[str, Any]) -> None:
        if isinstance(mark, Reads):
            self.read += mark.files(value, values)
        elif isinstance(mark, Writes) and mark.is_folder(value, values):
            self.folders.append(Path(value))
        elif isinstance(mark, Writes):
            self.written += mark.files(value, values)

    def check(self) -> None:
        inputs = [path for path in self.read if _may_be_lost(path)]
        outputs = [path for path in self.written if _may_be_lost(path)]
        for path in outputs:
            _check_output_file(path, inputs)
        for folder in self.folders:
            _check_output_folder(folder, inputs)
        streams = [path for path in self.written if str(path) == "-"]
        for number, path in enumerate(places := [*outputs, *self.folders, *streams]):
            if any(same_file(path, other) for other in places[:number]):
                raise OptionError(f"{path} is another output too; choose another name for the output")
        self._prepare(outputs)

    def _prepare(self, outputs: Iterable[Path]) -> None:
        """Check that the files can be written, and remove what killed processes have left of them."""
        for path in self.written:
            if str(path) != "-":
                check_output(path)
        names: dict[Path, set[str]] = {}
        for path in outputs:
            place = Path(os.path.realpath(path))
            names.setdefault(place.parent, set()).add(place.name)
        for folder, own in names.items():
            remove_leftovers(folder, own.__contains__)


def _check_output_file(path: Path, inputs: Iterable[Path]) -> None:
    if path.is_file() and path.name in (_files_of_model(path.parent) or ()):
        raise OptionError(f"{path} is a file of the model {path.parent}; choose another name for the output")
    for other in inputs:
        if same_file(path, other):
            raise OptionError(f"{path} is an input too; choose another name for the output")
        if path.exists() and _is_part_of(path, other):
            raise OptionError(f"{path} is a file of the input {other}; choose another name for the output")


def _check_output_folder(folder: Path, inputs: Iterable[Path]) -> None:
    for other in inputs:
        if same_file(folder, other):
            raise OptionError(f"{folder} is an input too; choose another folder for the output")
        if other.exists() and _is_inside(other, folder):
            raise OptionError(
                f"the input {other} is in the folder of the output, {folder}; choose another folder"
            )


def _texts(value: Any) -> Iterator[str]:
    for each in value if isinstance(value, list | tuple) else (value,):
        if isinstance(each, str | os.PathLike):
            yield os.fspath(each)


def _may_be_lost(path: Path) -> bool:
    """Whether this is not a stream, a device or a pipe, which are never replaced."""
    return str(path) != "-" and (path.is_file() or path.is_dir() or not path.exists())


def _is_inside(path: Path, folder: Path) -> bool:
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def _is_part_of(path: Path, folder: Path) -> bool:
    """Whether a file belongs to what is read from a folder: of a model, the files that it has recorded."""
    if not folder.is_dir() or not _is_inside(path, folder):
        return False
    recorded = _files_of_model(folder)
    return recorded is None or any(same_file(path, folder / name) for name in {*recorded, "weights.json"})


def _files_of_model(folder: Path) -> set[str] | None:
    """Return the names of the files that a model has recorded, None if the folder has no model."""
    if not (folder / "manifest.json").is_file():  # before a slow import
        return None
    from tunesmith.model.manifest import MANIFEST, Manifest

    try:
        return {*Manifest.read(folder).files, MANIFEST}
    except InputError:
        return None
