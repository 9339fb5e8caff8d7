"""Checkpoints of an online run on another file system, from which any machine can go on.

Iteration n is the folder `0000n` with the files of the run's folder, and `checkpoint.json`, which is written
last and has their sizes and checksums: without it, an iteration does not count. Nothing is renamed, which
object stores cannot do. Older iterations are removed after a newer one is complete.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tunesmith.checksums import checksum
from tunesmith.differences import completed, differences
from tunesmith.distribute.hadoop_folder import RemoteFolder
from tunesmith.errors import InputError, OptionError
from tunesmith.folders import temporary_folder
from tunesmith.json_files import read_json
from tunesmith.leftovers import temporary_name
from tunesmith.named_files import own_file
from tunesmith.runs.folder import known_run, new_run
from tunesmith.tuning.online.folder import KIND, OnlineFolder

__all__ = ["RemoteCheckpoints"]

COMPLETE = "checkpoint.json"


@dataclass(frozen=True)
class RemoteCheckpoints:
    """The checkpoints of one run in a remote folder."""

    remote: RemoteFolder

    def prepare(
        self,
        folder: Path,
        settings: Mapping[str, Any],
        *,
        defaults: Mapping[str, Any] | None = None,
        restart: bool,
    ) -> None:
        """Copy the newest checkpoint to a folder that has no run, or an older state; `restart`: remove all.

        Nothing is changed, here or there, before both are known to be of the run with these settings; one
        that `restart` replaces in the folder may be replaced there, too. See `known_run` on `defaults`.
        """
        own = new_run(KIND, settings)
        known = known_run(folder, KIND, own.settings, defaults=defaults, restart=restart)
        replaced = _settings(folder) if restart else None
        complete = [
            name
            for name in self._iterations()
            if self._is_complete(name, own.settings, defaults or {}, replaced)
        ]
        if restart:
            for name in self._iterations():
                self.remote.remove(name)
        elif complete and (known is None or len(known.state.records) <= int(complete[-1])):
            if known is None:
                KIND.write(folder, own)  # so that after an interrupted copy the folder is a run's
            self._copy(complete[-1], folder)

    def save(self, folder: OnlineFolder) -> None:
        """Copy the state after an iteration there."""
        name = f"{len(folder.state.records) - 1:05}"
        files = {path.relative_to(folder.folder).as_posix(): path for path in folder.state_files()}
        for relative, path in files.items():
            self.remote.put(path, f"{name}/{relative}")
        record = {
            relative: {"bytes": path.stat().st_size, "sha256": checksum(path)}
            for relative, path in files.items()
        }
        with temporary_folder() as scratch:
            marker = Path(scratch, COMPLETE)
            marker.write_text(json.dumps(record, indent=1))
            self.remote.put(marker, f"{name}/{COMPLETE}")
        for other in self._iterations():
            if other != name:
                self.remote.remove(other)

    def _is_complete(
        self,
        name: str,
        own: Mapping[str, Any],
        defaults: Mapping[str, Any],
        replaced: Mapping[str, Any] | None,
    ) -> bool:
        """Whether a checkpoint counts; an error if it is of another run, or something else."""
        files = self.remote.names(name)
        is_complete = COMPLETE in files
        state = None
        if KIND.record in files:
            with temporary_folder() as scratch:
                self.remote.get(f"{name}/{KIND.record}", Path(scratch, KIND.record))
                state = _settings(Path(scratch))
        if state is None:
            if is_complete or set(files) - {KIND.record}:  # the first file of a checkpoint may be cut off
                raise InputError(
                    f"the folder for checkpoints contains {name!r}, which is not a checkpoint, or a damaged"
                    f" one; remove {name!r}, or use another folder"
                )
        elif state != replaced and (found := differences(completed(state, own, defaults), own)):
            raise OptionError(
                "{} contains the checkpoint {name} of a run with "
                + found.template
                + "; use the same options to continue it, or another folder, or remove {name}",
                "checkpoint_to",
                *found.options,
                name=name,
                **found.values,
            )
        return is_complete

    def _copy(self, name: str, folder: Path) -> None:
        with temporary_folder() as scratch:
            marker = Path(scratch, COMPLETE)
            self.remote.get(f"{name}/{COMPLETE}", marker)
            record = read_json(marker, "a checkpoint")
        for relative in _last(list(record), KIND.record):
            path = folder / relative
            if not path.resolve().is_relative_to(folder.resolve()):
                raise InputError(f"a checkpoint names the file {relative!r}, outside of its folder")
            path.parent.mkdir(parents=True, exist_ok=True)
            draft = temporary_name(own_file(folder, relative))
            self.remote.get(f"{name}/{relative}", draft)
            if checksum(draft) != record[relative]["sha256"]:
                draft.unlink()
                raise InputError(f"the file {relative} of checkpoint {name} is damaged; remove {name}")
            draft.replace(path)

    def _iterations(self) -> list[str]:
        names = (name for name in self.remote.names() if name.isdecimal())
        return sorted((name for name in names if name == f"{int(name):05}"), key=int)


def _settings(folder: Path) -> dict[str, Any] | None:
    """Return the settings of the run of a folder; None if there is none, or something else."""
    try:
        return KIND.read(folder).settings
    except InputError:
        return None


def _last(names: Sequence[str], last: str) -> list[str]:
    return [*(name for name in names if name != last), last]
