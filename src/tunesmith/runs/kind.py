"""Kinds of folders that commands write and resume, each known by its record.

A record is a file of JSON that names its format. Before anything is continued, replaced or removed in a
folder, its record must name the kind of the command: so another kind of run, and a folder of a user's that
happens to have a file of the same name, are refused. What is removed are names that the kind writes, never
all that is there.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from tunesmith.errors import InputError
from tunesmith.files import PathLike, open_write
from tunesmith.folders import make_folder
from tunesmith.json_files import check_record, read_json
from tunesmith.leftovers import remove_leftovers
from tunesmith.locks import locked_folder
from tunesmith.named_files import own_file, own_folder
from tunesmith.runs.state import NoState, State

__all__ = ["FORMATS", "RunKind", "RunRecord", "format_of", "remove_own", "remove_own_folder"]

S = TypeVar("S", bound=State)

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


@dataclass
class RunRecord(Generic[S]):
    """What the record of a run says: its settings, its state, more `about` it, the build that began it.

    Without settings it is of a run that was being removed, and without a build of an earlier version.
    """

    settings: dict[str, Any]
    state: S
    about: dict[str, Any] = field(default_factory=dict)
    build: object = None


@dataclass(frozen=True)
class RunKind(Generic[S]):
    """A kind of folder: the name, the format and the version of its record, and what it writes.

    `noun` is for messages, `tuning run` say, and `title` for those on settings. `state` is the type of the
    state; a run has begun, too, if one of the files `begun_by` is there. `files` is a pattern of the names of
    its files beside the record, `folders` has one for each of its folders. `settings` is their
    name in the record, "" if they are not apart. `check` raises a ValueError if other entries are damaged;
    `remedy` says what to do then. `is_earlier` recognizes records of earlier versions, which had no format.
    """

    format: str
    record: str
    noun: str
    title: str = "a run"
    version: int = 1
    state: type[S] = NoState  # type: ignore[assignment]
    begun_by: tuple[str, ...] = ()
    files: str = ""
    folders: Mapping[str, str] = field(default_factory=dict)
    settings: str = "settings"
    check: Callable[[dict[str, Any]], object] = lambda record: None
    remedy: str = "use {} to start anew"
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

    @contextlib.contextmanager
    def locked(self, folder: PathLike, check: Callable[[Path], object] | None = None) -> Iterator[None]:
        """Make a folder, and lock it for the block.

        `check` [`is_in`] refuses a folder of anything else, before anything is removed.
        """
        make_folder(folder)
        with locked_folder(folder, _BUSY, check or self.is_in):
            yield

    def read(self, folder: Path) -> RunRecord[S]:
        """Read the record in a folder; one that is damaged or of another version is an InputError."""
        path = folder / self.record
        found = read_json(path, f"the record of {self._what}")
        try:
            check_record("the record", dict[str, object], found)
            if "format" in found or not self.is_earlier(found):
                named = found["format"], found["version"]
                if named != (self.format, self.version):
                    raise ValueError(f"found {named!r:.60}, expected {(self.format, self.version)}")
            self.check(found)
            state = self.state.of(found)
            known = ("format", "version", "build", *state.to_dict())
            about = {name: value for name, value in found.items() if name not in known}
            settings = about.pop(self.settings) if self.settings else about
            check_record("the settings", dict[str, object], settings)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            why = f"is damaged or of another version ({error!r:.200}); "
            raise InputError("{why}" + self.remedy, "restart", path=path, why=why) from None
        return RunRecord(settings, state, about if self.settings else {}, found.get("build"))

    def write(self, folder: Path, record: RunRecord[S]) -> None:
        """Replace the record, atomically; a link is removed first."""
        settings = {self.settings: record.settings} if self.settings else record.settings
        whole = {"format": self.format, "version": self.version, **record.about, **settings}
        whole |= record.state.to_dict() | ({} if record.build is None else {"build": record.build})
        with open_write(own_file(folder, self.record)) as stream:
            stream.write((json.dumps(whole, indent=1, ensure_ascii=False) + "\n").encode())

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


_BUSY = "another process is working in this folder; wait until it ends, or name another folder"
_ADVICE = "name a new or an empty folder, or remove this one by hand"


def format_of(record: Path) -> str:
    """Return the format that a record names; "" if it names none, or is not a record."""
    try:
        found = read_json(record, "a record")
    except InputError:
        return ""
    named = found.get("format") if isinstance(found, dict) else None
    return named if isinstance(named, str) else ""


def remove_own(folder: Path, pattern: str, keep: Callable[[str], bool] = lambda name: False) -> None:
    """Remove the files of a folder whose names match a pattern unless they are to `keep`; folders stay.

    Temporary files of killed processes for such names are removed, too.
    """
    remove_leftovers(folder, lambda name: re.fullmatch(pattern, name) is not None)
    for path in list(folder.iterdir()):
        if re.fullmatch(pattern, path.name) and not keep(path.name) and (path.is_symlink() or path.is_file()):
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise InputError(f"cannot remove: {error.strerror or error}", path=path) from error


def remove_own_folder(folder: Path, pattern: str) -> None:
    """Remove the files of a folder whose names match a pattern, and the folder if it has no others."""
    if folder.is_dir():
        remove_own(folder, pattern)
        with contextlib.suppress(OSError):  # it has other files
            folder.rmdir()
