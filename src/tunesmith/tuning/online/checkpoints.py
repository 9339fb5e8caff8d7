"""Checkpoints of an online run on another file system, from which any machine can go on.

Iteration n is the folder `0000n` with the files of the run's folder, and `checkpoint.json`, which is written
last and has their sizes and checksums: without it, an iteration does not count. Nothing is renamed, which
object stores cannot do. Older iterations are removed after a newer one is complete.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tunesmith.distribute.hadoop_folder import RemoteFolder
from tunesmith.errors import InputError
from tunesmith.json_files import read_json
from tunesmith.model.manifest import checksum
from tunesmith.tuning.online.folder import RUN, OnlineFolder, OnlineState

__all__ = ["RemoteCheckpoints"]

COMPLETE = "checkpoint.json"


@dataclass(frozen=True)
class RemoteCheckpoints:
    """The checkpoints of one run in a remote folder."""

    remote: RemoteFolder

    def clear(self) -> None:
        """Remove all checkpoints: a run starts anew."""
        for name in self._iterations():
            self.remote.remove(name)

    def restore(self, folder: Path) -> int:
        """Copy the newest checkpoint to a folder that has no run, or an older state; return its iteration.

        0 if there is nothing newer. `run.json` comes last, so that an interrupted copy is made again.
        """
        for name in reversed(self._iterations()):
            if COMPLETE not in self.remote.names(name):
                continue
            known = OnlineState.read(folder / RUN)
            if known is not None and len(known.records) > int(name):
                return 0
            self._copy(name, folder)
            return int(name)
        return 0

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
        with tempfile.TemporaryDirectory() as scratch:
            marker = Path(scratch, COMPLETE)
            marker.write_text(json.dumps(record, indent=1))
            self.remote.put(marker, f"{name}/{COMPLETE}")
        for other in self._iterations():
            if other != name:
                self.remote.remove(other)

    def _copy(self, name: str, folder: Path) -> None:
        with tempfile.TemporaryDirectory() as scratch:
            marker = Path(scratch, COMPLETE)
            self.remote.get(f"{name}/{COMPLETE}", marker)
            record = read_json(marker, "a checkpoint")
        for relative in _last(list(record), RUN):
            path = folder / relative
            if not path.resolve().is_relative_to(folder.resolve()):
                raise InputError(f"a checkpoint names the file {relative!r}, outside of its folder")
            path.parent.mkdir(parents=True, exist_ok=True)
            draft = path.with_name(f".{path.name}.tmp")
            self.remote.get(f"{name}/{relative}", draft)
            if checksum(draft) != record[relative]["sha256"]:
                draft.unlink()
                raise InputError(f"the file {relative} of checkpoint {name} is damaged; remove {name}")
            draft.replace(path)

    def _iterations(self) -> list[str]:
        return [name for name in self.remote.names() if name.isdecimal()]


def _last(names: Sequence[str], last: str) -> list[str]:
    return [*(name for name in names if name != last), last]
