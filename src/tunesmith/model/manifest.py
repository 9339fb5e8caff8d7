"""The manifest of a model directory: build steps with their inputs, options, outputs and checksums.

It contains no times and no paths outside the directory: the same text and options give the same bytes.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tunesmith.checksums import checksum, known_checksum
from tunesmith.errors import InputError
from tunesmith.files import PathLike, open_write
from tunesmith.json_files import check_format, check_record, read_json, record_of
from tunesmith.named_files import inside, own_file
from tunesmith.version import __version__

__all__ = [
    "ATTACHED",
    "IMPORTED",
    "MANIFEST",
    "PACKED",
    "REESTIMATED",
    "BuildRecord",
    "FileRecord",
    "Manifest",
    "this_version",
]

MANIFEST = "manifest.json"
FORMAT = "tunesmith-model"
VERSION = 1
IMPORTED, ATTACHED, REESTIMATED, PACKED = "import", "attach", "reestimate", "pack"
_SMALL = 1 << 20
_COMMANDS = {IMPORTED: "import", ATTACHED: "xbleu attach", REESTIMATED: "reestimate", PACKED: "pack"}
"""By origin; all others are trained."""


@dataclass(frozen=True)
class FileRecord:
    """The size and the SHA-256 of a file."""

    bytes: int
    sha256: str

    @classmethod
    def of(cls, path: Path) -> FileRecord:
        """Return the record of a file."""
        return cls(path.stat().st_size, checksum(path))


@dataclass(frozen=True)
class BuildRecord:
    """A finished step: its options, the checksums of its inputs, and its output files."""

    fingerprint: str
    options: dict[str, Any] = field(default_factory=dict)
    inputs: dict[str, str] = field(default_factory=dict)
    outputs: dict[str, FileRecord] = field(default_factory=dict)


@dataclass(frozen=True)
class Manifest:
    """The kind of a model and its finished steps, in the order in which they were built.

    `origin` is "training", "import", "attach", "reestimate" or "pack", or "jackknife" for a model without a
    fold. A model is `complete` when all its steps are done; while one of them runs again, it is not.
    """

    kind: str
    steps: dict[str, BuildRecord] = field(default_factory=dict)
    tunesmith: str = ""
    origin: str = "training"
    complete: bool = False

    @property
    def files(self) -> dict[str, FileRecord]:
        """All files of the model."""
        return {name: record for step in self.steps.values() for name, record in step.outputs.items()}

    def write(self, directory: PathLike) -> None:
        """Write the manifest into the model's directory."""
        record = {"format": FORMAT, "version": VERSION, **dataclasses.asdict(self)}
        with open_write(own_file(directory, MANIFEST)) as stream:
            stream.write((json.dumps(record, indent=1, ensure_ascii=False) + "\n").encode())

    @classmethod
    def read(cls, directory: PathLike) -> Manifest:
        """Read the manifest of a model; a folder without one is an InputError.

        So is an output that is not in the directory: outputs of obsolete steps are removed.
        """
        path = Path(directory) / MANIFEST
        if not path.is_file():
            raise InputError(
                "is not a model: it has no manifest.json (make one with `tunesmith train`)", path=directory
            )
        record = read_json(path, "a manifest of a model")
        try:
            check_format(record, FORMAT, VERSION, "train the model again", path=path)
            steps = {name: _step(fields) for name, fields in record["steps"].items()}
            for name in {name for step in steps.values() for name in step.outputs}:
                inside(directory, name, path=path)
            for name in ("kind", "tunesmith", "origin"):
                check_record(name, str, record[name])
            return cls(
                record["kind"], steps, record["tunesmith"], record["origin"], record["complete"] is True
            )
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"is not a manifest of a model ({error!r:.200})", path=path) from None

    def check(self, directory: PathLike, *, verify: bool = False) -> None:
        """Raise InputError unless the model is complete and every file exists with its size.

        The checksums of files of up to a megabyte are always compared, in milliseconds; `verify` compares
        those of all files. Larger binary files have checksums of their own, which are compared when they are
        opened (`tunesmith.container`).
        """
        again = f"run the same `tunesmith {_COMMANDS.get(self.origin, 'train')}` again"
        if not self.complete:
            raise InputError(f"is not finished; {again}", path=directory)
        for name, record in self.files.items():
            path = Path(directory) / name
            if not path.is_file():
                raise InputError(f"is missing; {again}", path=path)
            compare = verify or record.bytes <= _SMALL
            if path.stat().st_size != record.bytes or (compare and FileRecord.of(path) != record):
                raise InputError(f"differs from the manifest; {again}", path=path)

    def check_outside(self, directory: PathLike, files: Mapping[str, Path], *, verify: bool = False) -> None:
        """Raise InputError unless files outside of the directory are those that a step recorded, by label.

        A model may name any file of the machine, and whoever made it may not be who uses it: a file is read
        only if whoever wrote its checksum had the file. The checksum is that of all bytes; if a file has not
        changed since it was computed, that one is taken (`tunesmith.checksums`), unless `verify`.
        """
        known = {label: text for step in self.steps.values() for label, text in step.inputs.items()}
        again = "make the model again by the command that made it"
        if self.origin in (ATTACHED, REESTIMATED):
            again = f"make the model again with `tunesmith {_COMMANDS[self.origin]}`"
        for label, path in files.items():
            if label not in known:
                raise InputError(
                    f"names {str(path)!r}, which is outside of the model and not recorded in its {MANIFEST};"
                    f" {again}",
                    path=directory,
                )
            if not path.exists():
                raise InputError(
                    f"is missing, but the model {directory} refers to it; move both folders together,"
                    f" `tunesmith pack` the model where they are, or {again}",
                    path=path,
                )
            if (checksum(path) if verify else known_checksum(path)) != known[label]:
                raise InputError(
                    f"is not the file that the model {directory} was made of; {again}", path=path
                )


def this_version() -> str:
    """Return the version of Tunesmith that is running."""
    return __version__


def _step(fields: dict[str, Any]) -> BuildRecord:
    outputs = {name: record_of(FileRecord, record) for name, record in fields["outputs"].items()}
    check_record("fingerprint", str, fields["fingerprint"])
    check_record("options", dict[str, object], fields["options"])
    check_record("inputs", dict[str, str], fields["inputs"])
    return BuildRecord(fields["fingerprint"], fields["options"], fields["inputs"], outputs)
