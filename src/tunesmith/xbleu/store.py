"""The store: a folder of files of n-best lists or forests, and how they were made."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

from tunesmith.errors import InputError
from tunesmith.files import PathLike, open_write
from tunesmith.json_files import check_fields, check_format, check_record, read_json, record_of
from tunesmith.named_files import own_file
from tunesmith.runs.kind import RunKind
from tunesmith.xbleu.list_counts import FileCounts

__all__ = [
    "LISTS",
    "STORE",
    "WEIGHTS",
    "ListStore",
    "Store",
    "StoreCounts",
    "StoreKind",
    "file_name",
    "read_record",
    "recorded_noun",
    "write_record",
]

STORE = "store.json"
WEIGHTS = ".weights"
"""The decoder's weights for workers, until all files are written."""
VERSION = 1

_FIELDS: dict[str, Any] = {
    "model": str,
    "made_by": dict[str, object],
    "files": list[dict[str, object]],
    "complete": bool,
    "text": dict[str, object],
}
_OPTIONAL: dict[str, Any] = {
    "dense": list[str],
    "left_out": dict[str, dict[str, float]],
    "left_out_digests": dict[str, str],
}

FORMATS = {"lists": "tunesmith-lists", "forests": "tunesmith-event-forests"}
"""The names of formats in records, by what the stores have."""


class StoreCounts(Protocol):
    """Counts of a file of a store, a dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def sentences(self) -> int: ...
    @property
    def missing(self) -> int: ...
    @property
    def too_large(self) -> int: ...

    @classmethod
    def total(cls, files: Sequence[Self]) -> Self: ...
    def to_dict(self) -> dict[str, Any]: ...


Counts = TypeVar("Counts", bound=StoreCounts)


@dataclass(frozen=True)
class StoreKind(Generic[Counts]):
    """What a store has per sentence: its name in messages, names of files and the command that makes it."""

    noun: str
    counts: type[Counts]
    needs: Mapping[str, Any] = field(default_factory=dict)
    """The types of what the record must have besides what all stores have, by name."""

    @property
    def format(self) -> str:
        """The name of the format in the record."""
        return FORMATS[self.noun]

    @property
    def files(self) -> str:
        """A pattern of the names of files: see `file_name`."""
        return rf"{self.noun}\.\d{{5,}}"

    @property
    def folder(self) -> RunKind:
        """The kind of the folder."""
        return RunKind(self.format, STORE, self.noun, files=self.files)

    @property
    def command(self) -> str:
        """The command that makes such a store, for messages."""
        return f"`tunesmith xbleu {self.noun}`"


LISTS = StoreKind("lists", FileCounts, {"nbest": int})


def file_name(number: int, kind: StoreKind[Any] = LISTS) -> str:
    """Return the name of a file of lists or forests."""
    return f"{kind.noun}.{number:05}"


@dataclass(frozen=True, eq=False)
class Store(Generic[Counts]):
    """Lists or forests of a text; `record` says by which model, weights, folds and search they were made."""

    kind: ClassVar[StoreKind[Any]]

    path: Path
    record: dict[str, Any]

    @classmethod
    def open(cls, path: PathLike) -> Self:
        """Open a complete store; anything else is an InputError."""
        folder, command = Path(path), cls.kind.command
        if not (folder / STORE).is_file():
            raise InputError(
                f"is not a store of {cls.kind.noun}: it has no {STORE} (make one with {command})",
                path=folder,
            )
        if recorded_noun(folder) not in (None, cls.kind.noun):
            raise InputError(
                f"has {recorded_noun(folder)}; expected a store of {cls.kind.noun}, as {command} makes it",
                path=folder,
            )
        store = cls(folder, read_record(folder, cls.kind))
        if store.record["complete"] is not True:
            raise InputError(f"is not complete; run the same {command} again", path=folder)
        for file in store.files:
            if not file.is_file():
                raise InputError(f"is missing; run the same {command} again, which writes it anew", path=file)
        return store

    @property
    def model(self) -> Path:
        """The directory of the model that made the lists."""
        return Path(self.record["model"])

    @property
    def counts(self) -> Counts:
        """The sums over all files."""
        counts: type[Counts] = self.kind.counts
        return counts.total([record_of(counts, each["counts"]) for each in self.record["files"]])

    @property
    def files(self) -> list[Path]:
        """The files, in order."""
        return [self.path / file_name(number, self.kind) for number in range(len(self.record["files"]))]

    @property
    def digest(self) -> str:
        """Hash of the record, which says what the lists depend on."""
        return hashlib.sha256((self.path / STORE).read_bytes()).hexdigest()

    @property
    def sentences(self) -> int:
        """The number of lists or forests."""
        return self.counts.sentences


class ListStore(Store[FileCounts]):
    """The n-best lists of a text."""

    kind = LISTS

    @property
    def dense(self) -> tuple[str, ...]:
        """The dense features of the decoder whose values the lists have; none if they have no such values."""
        return tuple(self.record.get("dense", ()))


def recorded_noun(folder: Path) -> str | None:
    """Return whether a store has lists or forests, by its format; None if its record does not say it."""
    try:
        found = read_json(folder / STORE, "a record of a store")
    except InputError:
        return None
    known = found.get("format") if isinstance(found, dict) else None
    return next((noun for noun, name in FORMATS.items() if name == known), None)


def read_record(folder: Path, kind: StoreKind[Any] = LISTS) -> dict[str, Any]:
    """Read what is known of a store, which may be incomplete."""
    path = folder / STORE
    record = read_json(path, f"a record of {kind.noun}")
    try:
        check_format(record, kind.format, VERSION, f"make the {kind.noun} again", path=path)
        check_fields(record, {**_FIELDS, **kind.needs}, _OPTIONAL)
        check_fields(record["text"], {"pairs": int})
        weights = record.get("weights")
        if isinstance(weights, dict) and weights.get("values") is not None:
            check_record("values of weights", dict[str, float], weights["values"])
        for number, each in enumerate(record["files"]):
            check_fields(each, {"name": str, "fold": int, "counts": dict[str, float]})
            record_of(kind.counts, each["counts"])
            if each["name"] != file_name(number, kind):
                raise ValueError(f"file {number} is named {each['name']!r:.60}")
            if min(each["counts"].values(), default=0) < 0:
                raise ValueError(f"file {number} has a count below 0")
    except (ValueError, KeyError, TypeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"is damaged ({error!r:.200})", path=path) from None
    return dict(record)


def write_record(
    folder: Path,
    record: Mapping[str, Any],
    files: Sequence[tuple[int, StoreCounts]],
    kind: StoreKind[Any] = LISTS,
) -> None:
    """Write the record of a store with the folds and counts of its files so far; atomic."""
    listed = [
        {"name": file_name(number, kind), "fold": fold, "counts": counts.to_dict()}
        for number, (fold, counts) in enumerate(files)
    ]
    whole = {"format": kind.format, "version": VERSION, **record, "files": listed}
    with open_write(own_file(folder, STORE)) as stream:
        stream.write((json.dumps(whole, indent=1, ensure_ascii=False) + "\n").encode())
