"""Kinds of folders that commands write and resume, each known by its record.

A record is a file of JSON that names its format. Before anything is continued, replaced or removed in a
folder, its record must name the kind of the command: so another kind of run, and a folder of a user's that
happens to have a file of the same name, are refused. What is removed are names that the kind writes, never
all that is there.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tunesmith.errors import InputError
from tunesmith.json_files import read_json
from tunesmith.leftovers import remove_leftovers
from tunesmith.named_files import own_folder

__all__ = ["FORMATS", "RunKind", "remove_own", "remove_own_folder"]

FORMATS = {
    "tunesmith-tuning": "a run of `tunesmith tune model`",
    "tunesmith-tries": "trials of `tunesmith tune model --try`",
    "tunesmith-online": "a run of `tunesmith tune online`",
    "tunesmith-lists": "lists of `tunesmith xbleu lists`",
    "tunesmith-event-forests": "forests of `tunesmith xbleu forests`",
    "tunesmith-derivations": "derivations of `tunesmith reestimate`",
    "tunesmith-training": "a training of `tunesmith xbleu train`",
    "tunesmith-model": "a model",
}
"""What a folder with a record of each format has."""


@dataclass(frozen=True)
class RunKind:
    """A kind of folder: the name and the format of its record, and what it writes.

    `files` is a pattern of the names of its files beside the record, `folders` has one for each of its
    folders. `noun` is for messages, `a tuning run` say. `is_earlier` recognizes records of earlier versions,
    which had no format.
    """

    format: str
    record: str
    noun: str
    files: str = ""
    folders: Mapping[str, str] = field(default_factory=dict)
    is_earlier: Callable[[dict[str, Any]], bool] = lambda record: False

    def __post_init__(self) -> None:
        assert self.format in FORMATS, self.format

    def is_in(self, folder: Path) -> bool:
        """Whether a folder has a record of this kind; False if it has no files at all.

        Anything else in it is an InputError, which says what it is and what to do.
        """
        path = folder / self.record
        try:
            others = sorted(entry.name for entry in folder.iterdir() if not entry.name.startswith("."))
        except OSError as error:
            raise InputError(f"cannot read: {error.strerror or error}", path=folder) from None
        if not path.is_file():
            if others:
                raise InputError(
                    f"contains {others[0]!r} but no {self.noun}; expected a new or an empty folder",
                    path=folder,
                )
            return False
        try:
            found = read_json(path, f"the record of {self._what}")
        except InputError as error:
            raise InputError(f"{error.message}; {_ADVICE}", path=path, line=error.line) from None
        named = found.get("format") if isinstance(found, dict) else None
        if named == self.format or (named is None and isinstance(found, dict) and self.is_earlier(found)):
            return True
        what = FORMATS.get(named) if isinstance(named, str) else None
        if what is not None:
            raise InputError(f"contains {what}, not {self._what}; {_ADVICE}", path=folder)
        raise InputError(f"is not the record of {self._what}; {_ADVICE}", path=path)

    def writes(self, name: str) -> bool:
        """Whether a run of this kind writes a file of this name, relative to its folder."""
        folder, _, inner = name.rpartition("/")
        pattern = self.folders.get(folder, "") if folder else self.files
        return name == self.record or re.fullmatch(pattern, inner) is not None

    def clear(self, folder: Path) -> None:
        """Remove what a run of this kind has written beside its record; all else stays.

        A link in the place of one of its folders is an InputError, before anything is removed.
        """
        places = {own_folder(folder, name): pattern for name, pattern in self.folders.items()}
        remove_own(folder, self.files)
        for place, pattern in places.items():
            remove_own_folder(place, pattern)

    @property
    def _what(self) -> str:
        return FORMATS[self.format]


_ADVICE = "name a new or an empty folder, or remove this one by hand"


def remove_own(folder: Path, pattern: str, keep: Callable[[str], bool] = lambda name: False) -> None:
    """Remove the files of a folder whose names match a pattern unless they are to `keep`; folders stay.

    Temporary files of killed processes for such names are removed, too.
    """
    remove_leftovers(folder, lambda name: re.fullmatch(pattern, name) is not None)
    for path in list(folder.iterdir()):
        if re.fullmatch(pattern, path.name) and not keep(path.name) and (path.is_symlink() or path.is_file()):
            path.unlink(missing_ok=True)


def remove_own_folder(folder: Path, pattern: str) -> None:
    """Remove the files of a folder whose names match a pattern, and the folder if it has no others."""
    if folder.is_dir():
        remove_own(folder, pattern)
        with contextlib.suppress(OSError):  # it has other files
            folder.rmdir()
