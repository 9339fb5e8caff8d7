"""The store: a folder of files of n-best lists, and how they were made."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tunesmith.errors import InputError
from tunesmith.files import PathLike, open_write
from tunesmith.json_files import check_format, check_record, read_json, record_of
from tunesmith.xbleu.list_counts import FileCounts

__all__ = ["STORE", "ListStore", "file_name", "read_record", "write_record"]

STORE = "store.json"
FORMAT = "tunesmith-lists"
VERSION = 1


def file_name(number: int) -> str:
    """Return the name of a file of lists."""
    return f"lists.{number:05}"


@dataclass(frozen=True, eq=False)
class ListStore:
    """The n-best lists of a text; `record` says by which model, weights, folds and search they were made."""

    path: Path
    record: dict[str, Any]

    @classmethod
    def open(cls, path: PathLike) -> ListStore:
        """Open a complete store; anything else is an InputError."""
        folder = Path(path)
        if not (folder / STORE).is_file():
            raise InputError(
                f"is not a store of lists: it has no {STORE} (make one with `tunesmith xbleu lists`)",
                path=folder,
            )
        store = cls(folder, read_record(folder))
        if store.record["complete"] is not True:
            raise InputError("is not complete; run the same `tunesmith xbleu lists` again", path=folder)
        for file in store.files:
            if not file.is_file():
                raise InputError(
                    "is missing; run the same `tunesmith xbleu lists` again, which writes it anew", path=file
                )
        return store

    @property
    def model(self) -> Path:
        """The directory of the model that made the lists."""
        return Path(self.record["model"])

    @property
    def dense(self) -> tuple[str, ...]:
        """The dense features of the decoder whose values the lists have; none if they have no such values."""
        return tuple(self.record.get("dense", ()))

    @property
    def counts(self) -> FileCounts:
        """The sums over all files."""
        return FileCounts.total([record_of(FileCounts, each["counts"]) for each in self.record["files"]])

    @property
    def files(self) -> list[Path]:
        """The files of lists, in order."""
        return [self.path / file_name(number) for number in range(len(self.record["files"]))]

    @property
    def digest(self) -> str:
        """Hash of the record, which says what the lists depend on."""
        return hashlib.sha256((self.path / STORE).read_bytes()).hexdigest()

    @property
    def sentences(self) -> int:
        """The number of lists."""
        return self.counts.sentences


def read_record(folder: Path) -> dict[str, Any]:
    """Read what is known of a store, which may be incomplete."""
    path = folder / STORE
    record = read_json(path, "a record of lists")
    try:
        check_format(record, FORMAT, VERSION, "make the lists again", path=path)
        if not isinstance(record["model"], str) or not isinstance(record["made_by"], dict):
            raise ValueError("model or settings are not as expected")
        for number, each in enumerate(record["files"]):
            record_of(FileCounts, each["counts"])
            if each["name"] != file_name(number) or type(each["fold"]) is not int:
                raise ValueError(f"file {number} is named {each['name']!r:.60}")
        check_record("dense", list[str], record.get("dense", []))
        record["complete"], record["text"], record["nbest"]
        check_record("left_out", dict[str, dict[str, float]], record.get("left_out", {}))
    except (ValueError, KeyError, TypeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"is damaged ({error!r:.200})", path=path) from None
    return dict(record)


def write_record(folder: Path, record: Mapping[str, Any], files: Sequence[tuple[int, FileCounts]]) -> None:
    """Write the record of a store with the folds and counts of its files so far; atomic."""
    listed = [
        {"name": file_name(number), "fold": fold, "counts": counts.to_dict()}
        for number, (fold, counts) in enumerate(files)
    ]
    whole = {"format": FORMAT, "version": VERSION, **record, "files": listed}
    with open_write(folder / STORE) as stream:
        stream.write((json.dumps(whole, indent=1, ensure_ascii=False) + "\n").encode())
