"""The folder of a run: begun, or continued by the same command after a kill."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Generic, TypedDict, TypeVar, Unpack

from tunesmith.build import Build, warn_of_other
from tunesmith.differences import check_same
from tunesmith.files import PathLike
from tunesmith.named_files import own_folder
from tunesmith.runs.kind import RunKind, RunRecord
from tunesmith.runs.state import State

__all__ = ["RunFolder", "RunOptions", "is_begun", "known_run", "new_run"]

S = TypeVar("S", bound=State)


class RunOptions(TypedDict, total=False):
    """How an earlier run is taken up: see `check_same` on `defaults` and `gone`; `restart` removes it."""

    defaults: Mapping[str, Any] | None
    gone: Mapping[str, Any] | None
    restart: bool


class RunFolder(Generic[S]):
    """The folder of a run and its record; to be used while it is locked (`RunKind.locked`).

    The record is replaced atomically, after everything else of a finished piece is written, so that a killed
    run loses at most its current piece.
    """

    def __init__(
        self,
        folder: PathLike,
        kind: RunKind[S],
        settings: Mapping[str, Any],
        about: Mapping[str, Any] | None = None,
        **options: Unpack[RunOptions],
    ) -> None:
        """Continue a run with the same `settings`; refuse another one, or with `restart` remove it.

        A folder of anything else is an InputError. A run that has not begun may be replaced by any other.
        `about` is more for the record of a new run.
        """
        self.folder, self.kind = Path(folder), kind
        for name in kind.folders:
            own_folder(self.folder, name)
        self.record = new_run(kind, settings, about)
        known = known_run(self.folder, kind, self.record.settings, **options)
        if known is None:
            self._begin()
        elif is_begun(self.folder, kind, known):
            self.record = known
        else:
            self.record = replace(known, build=self.record.build)
            self.write()

    @property
    def state(self) -> S:
        """Where the run is; to be recorded by `write`."""
        return self.record.state

    def write(self) -> None:
        """Replace the record."""
        self.kind.write(self.folder, self.record)

    def warn_of_other_build(self) -> None:
        """Issue a TunesmithWarning if another build has begun the run, which goes on now."""
        warn_of_other(self.record.build, self.folder)

    def _begin(self) -> None:
        """Remove what an earlier run has written, and record the new one.

        Until all is removed the record has no settings: what is left after a kill is never taken for a part
        of the new run, and the folder stays a run's.
        """
        if (self.folder / self.kind.record).is_file():
            self.kind.write(self.folder, replace(self.record, settings={}))
        self.kind.clear(self.folder)
        self.write()


def new_run(
    kind: RunKind[S], settings: Mapping[str, Any], about: Mapping[str, Any] | None = None
) -> RunRecord[S]:
    """Return the record of a run that this build begins, with settings as JSON has them."""
    own = json.loads(json.dumps(settings, allow_nan=False))
    return RunRecord(own, kind.state(), json.loads(json.dumps(about or {})), Build.running().record())


def known_run(
    folder: Path, kind: RunKind[S], settings: Mapping[str, Any], **options: Unpack[RunOptions]
) -> RunRecord[S] | None:
    """Return what is known of a run with these settings in a folder; None if it begins anew.

    A folder of anything else is an error, also with `restart`. So is a run with other settings, unless it
    has not begun, or `restart` may remove it.
    """
    known = kind.read(folder) if kind.is_in(folder) and not options.get("restart") else None
    if known is not None and is_begun(folder, kind, known):
        before, now = _by_option(known.settings), _by_option(settings)
        check_same(folder, kind.title, before, now, options.get("defaults"), options.get("gone"))
    elif known is not None and known.settings != settings:
        return None
    return known


def is_begun(folder: Path, kind: RunKind[S], record: RunRecord[S]) -> bool:
    """Whether a run has anything to continue, which a restart would lose."""
    there = record.state.is_begun or any((folder / name).is_file() for name in kind.begun_by)
    return bool(record.settings) and there


def _by_option(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings by the names of options, which those of the search may have after a prefix."""
    return {name.removeprefix("search_"): value for name, value in settings.items()}
