"""Stores: folders of files of one shape, numbered, and a record of how they were made and what each counts.

A store is written file by file, in any order; a killed run loses at most the files that it was writing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

from tunesmith.build import Build
from tunesmith.errors import InputError
from tunesmith.files import PathLike
from tunesmith.json_files import check_fields, record_of
from tunesmith.named_files import own_file, own_folder
from tunesmith.runs.folder import RunFolder
from tunesmith.runs.kind import FORMATS, RunKind, format_of, remove_own, remove_own_folder

__all__ = ["MADE_BY", "WEIGHTS", "Counts", "Pieces", "Store", "StoreFolder"]

MADE_BY = "made_by"
"""The settings in the record: all that the files depend on."""
WEIGHTS = ".weights"
"""The decoder's weights for workers, until all files are written."""


class Counts(Protocol):
    """What is counted of a file, a dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def sentences(self) -> int: ...
    @classmethod
    def total(cls, files: Sequence[Self]) -> Self: ...


C = TypeVar("C", bound=Counts)


@dataclass
class Pieces(Generic[C]):
    """The files that are written so far, by number: what each counts, and the fold that its models lack."""

    noun: ClassVar[str]
    """What the files have; they are named `NOUN.NUMBER`."""
    type_of_counts: ClassVar[type[Any]]

    counts: dict[int, C] = field(default_factory=dict)
    folds: dict[int, int] = field(default_factory=dict)
    complete: bool = False

    @property
    def is_begun(self) -> bool:
        """Whether a file is written."""
        return bool(self.counts)

    @classmethod
    def name(cls, number: int) -> str:
        """Return the name of a file."""
        return f"{cls.noun}.{number:05}"

    def to_dict(self) -> dict[str, Any]:
        """Return `complete`, and `files` in order."""
        files = [
            {"name": self.name(number), "fold": self.folds[number], "counts": asdict(self.counts[number])}
            for number in sorted(self.counts)
        ]
        return {"complete": self.complete, "files": files}

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Self:
        """Return the files of a record; see `State`."""
        check_fields(record, {"complete": bool, "files": list[dict[str, object]]})
        made = cls(complete=record["complete"])
        for each in record["files"]:
            check_fields(each, {"name": str, "fold": int, "counts": dict[str, float]})
            number = cls.number(each["name"].removeprefix(f"{cls.noun}."))
            if each["name"] != cls.name(number) or min(each["counts"].values(), default=0) < 0:
                raise ValueError(f"the file {each['name']!r:.60} has another name or a count below 0")
            if made.complete and number != len(made.counts):
                raise ValueError(f"the file {each['name']!r:.60} is not the next one")
            made.counts[number] = record_of(cls.type_of_counts, each["counts"])
            made.folds[number] = each["fold"]
        return made

    @staticmethod
    def number(text: str) -> int:
        """Return the number of a file; a ValueError if it is none."""
        if not text.isascii() or not text.isdigit() or len(text) > 9:
            raise ValueError(f"a file is named {text!r:.60}")
        return int(text)

    @property
    def total(self) -> C:
        """The counts of all files."""
        found: C = self.type_of_counts.total([self.counts[number] for number in sorted(self.counts)])
        return found


@dataclass(frozen=True, eq=False)
class Store(Generic[C]):
    """A complete store; `record` says by which model, weights and search it was made."""

    kind: ClassVar[RunKind[Any]]
    command: ClassVar[str]
    """The command that makes such a store, for messages."""

    path: Path
    record: dict[str, Any]
    pieces: Pieces[C]

    @classmethod
    def read(cls, path: PathLike) -> Self:
        """Read the record of a store, which may be incomplete."""
        found = cls.kind.read(Path(path))
        return cls(Path(path), {**found.about, MADE_BY: found.settings}, found.state)

    @classmethod
    def open(cls, path: PathLike) -> Self:
        """Open a complete store; anything else is an InputError."""
        folder, noun = Path(path), cls.kind.noun
        if not (folder / cls.kind.record).is_file():
            hint = f"it has no {cls.kind.record} (make one with {cls.command})"
            raise InputError(f"is not a store of {noun}: {hint}", path=folder)
        found = format_of(folder / cls.kind.record)
        if found in FORMATS and found != cls.kind.format:
            raise InputError(
                f"has {FORMATS[found]}; expected a store of {noun}, as {cls.command} makes it", path=folder
            )
        store, again = cls.read(folder), f"run the same {cls.command} again"
        if not store.pieces.complete:
            raise InputError(f"is not complete; {again}, which continues it", path=folder)
        for file in store.files:
            if not file.is_file():
                raise InputError(f"is missing; {again}, which writes it anew", path=file)
        return store

    @property
    def model(self) -> Path:
        """The directory of the model that made it."""
        return Path(self.record["model"])

    @property
    def digest(self) -> str:
        """Hash of the record, which says what the files depend on."""
        return hashlib.sha256((self.path / self.kind.record).read_bytes()).hexdigest()

    @property
    def sentences(self) -> int:
        """The number of sentences that the files have something of."""
        return self.counts.sentences

    @property
    def files(self) -> list[Path]:
        """The files, in order."""
        return [self.path / self.pieces.name(number) for number in sorted(self.pieces.counts)]

    @property
    def counts(self) -> C:
        """The sums over all files."""
        return self.pieces.total


class StoreFolder(RunFolder[Pieces[C]]):
    """The folder of a store while it is written; to be used while it is locked."""

    def __init__(
        self, folder: Path, kind: RunKind[Pieces[C]], record: Mapping[str, Any], *, restart: bool
    ) -> None:
        """Continue a store with the same settings, those of the `record`; see `RunFolder`.

        Files that were lost are written again. The record of a complete store stays as it is unless the model
        was moved: trainings know stores by its digest, and the same weights may be in another file.
        """
        about = dict(record)
        super().__init__(folder, kind, about.pop(MADE_BY), about=about, restart=restart)
        state, known = self.state, self.record
        lost = [number for number in state.counts if not (folder / state.name(number)).is_file()]
        for number in lost:
            del state.counts[number]
        state.complete = state.complete and not lost
        self.resumed = len(state.counts)
        if not state.counts:
            known.build = Build.running().record()
        elif not state.complete:
            self.warn_of_other_build()
        if not state.complete or known.about.get("model") != about.get("model"):
            known.about |= about
            self.write()
        # After the record is written, which may not claim them: the next run removes what a kill leaves.
        remove_own(folder, kind.files, keep=lambda name: int(name.rpartition(".")[2]) in state.counts)

    @property
    def weights(self) -> Path:
        """The file of the decoder's weights for workers."""
        return own_file(self.folder, WEIGHTS)

    def file(self, number: int) -> Path:
        """Return the file to write, by an absolute path."""
        return own_file(self.folder.absolute(), self.state.name(number))

    def add(self, number: int, counts: C, fold: int) -> None:
        """Record a file that was written."""
        self.state.counts[number], self.state.folds[number] = counts, fold
        self.write()

    def note(self, name: str, value: object) -> None:
        """Add to the record."""
        self.record.about[name] = value
        self.write()

    def finish(self) -> None:
        """Record that all files are there, and remove what workers needed, also those of a killed run."""
        self.weights.unlink(missing_ok=True)
        for name, pattern in self.kind.folders.items():
            remove_own_folder(own_folder(self.folder, name), pattern)
        self.state.complete = True
        self.write()
