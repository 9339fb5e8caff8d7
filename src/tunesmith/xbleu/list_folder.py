"""The folder of a store while it is written: files are added in order, and a killed run is continued."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import takewhile
from pathlib import Path
from typing import Any

from tunesmith.build import Build, warn_of_other
from tunesmith.differences import check_same
from tunesmith.json_files import record_of
from tunesmith.named_files import own_file
from tunesmith.runs.kind import remove_own
from tunesmith.xbleu.store import (
    LISTS,
    WEIGHTS,
    StoreCounts,
    StoreKind,
    file_name,
    read_record,
    write_record,
)

__all__ = ["ListFolder"]


class ListFolder:
    """The files that are written so far; to be used while the folder is locked."""

    def __init__(
        self, folder: Path, record: Mapping[str, Any], *, restart: bool, kind: StoreKind[Any] = LISTS
    ) -> None:
        """Continue a store with the same settings, `made_by`; refuse another, or with `restart` remove it.

        If a file was lost, it and all after it are written again. The record of a complete store stays as it
        is unless the model was moved: trainings know stores by its digest, and the same weights may be in
        another file.
        """
        self.folder, self.kind = folder, kind
        self.record = json.loads(json.dumps({**record, "complete": False, "build": Build.running().record()}))
        self.files: list[tuple[int, StoreCounts]] = []
        known: dict[str, Any] = {}
        if kind.folder.is_in(folder) and not restart:
            known = read_record(folder, kind)
            settings = (_by_option(each["made_by"]) for each in (known, self.record))
            check_same(folder, kind.noun, *settings)
            there_still = takewhile(lambda each: (folder / each["name"]).is_file(), known["files"])
            self.files = [(each["fold"], record_of(kind.counts, each["counts"])) for each in there_still]
            self.record["complete"] = known["complete"] is True and len(self.files) == len(known["files"])
        self.resumed = len(self.files)
        if self.files:
            self.record["build"] = known.get("build")
            if not self.is_complete:
                warn_of_other(self.record["build"], folder)
        if not self.is_complete or known["model"] != self.record["model"]:
            self._write()
        self._remove_others()

    @property
    def is_complete(self) -> bool:
        """Whether all files are there."""
        return self.record["complete"] is True

    @property
    def sentences(self) -> int:
        """Sentences whose lists or forests are written, or that have none."""
        return sum(counts.sentences + counts.missing + counts.too_large for _, counts in self.files)

    def add(self, fold: int, counts: StoreCounts) -> None:
        """Record the file that was written."""
        self.files.append((fold, counts))
        self._write()

    def finish(self) -> None:
        """Record that all files are there, and remove what workers needed, also those of a killed run."""
        own_file(self.folder, WEIGHTS).unlink(missing_ok=True)
        self.record["complete"] = True
        self._write()

    def _write(self) -> None:
        write_record(self.folder, self.record, self.files, self.kind)

    def _remove_others(self) -> None:
        """Remove files that are not recorded; after the record is written, which may not claim them.

        A run that is killed between the two leaves files that the next one removes.
        """
        own = {file_name(number, self.kind) for number in range(len(self.files))}
        remove_own(self.folder, self.kind.files, keep=own.__contains__)


def _by_option(made_by: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings by the names of options, which those of the search have after a prefix."""
    return {name.removeprefix("search_"): value for name, value in made_by.items()}
