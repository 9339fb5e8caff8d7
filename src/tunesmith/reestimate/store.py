"""The store: a folder of files of derivations, one per block of sentences, and how they were made."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tunesmith.build import Build, warn_of_other
from tunesmith.errors import InputError, OptionError
from tunesmith.files import PathLike, open_write
from tunesmith.json_files import check_fields, check_format, read_json, record_of
from tunesmith.locks import LOCK
from tunesmith.named_files import own_file, own_folder
from tunesmith.reestimate.background import Background
from tunesmith.reestimate.block_counts import BlockCounts
from tunesmith.reestimate.derivation_file import DerivationFile
from tunesmith.runs.kind import RunKind, remove_own, remove_own_folder

__all__ = [
    "STORE",
    "TABLES",
    "WEIGHTS",
    "DerivationFolder",
    "DerivationStore",
    "file_name",
    "forest_name",
    "remove_derivations",
]

STORE = "derivations.json"
TABLES = ".tables"
"""Folder of the tables without rare pairs, until all oracles are found."""
WEIGHTS = ".weights"
"""The decoder's weights for workers, until all derivations are found."""
FORMAT = "tunesmith-derivations"
VERSION = 1
_FILES = r"(derivations|forests)\.\d{5,}"
_TABLES = r"\.?(whole|fold\d+)\.(rules\.)?\d+\.bin|\.(whole|fold\d+)\.lock"
KIND = RunKind(FORMAT, STORE, "derivations", files=_FILES, folders={TABLES: _TABLES})
_FIELDS = {
    "method": str,
    "complete": bool,
    "made_by": dict[str, object],
    "blocks": dict[str, object],
    "text": dict[str, object],
}


def file_name(block: int) -> str:
    """Return the name of the file of a block."""
    return f"derivations.{block:05}"


def forest_name(block: int) -> str:
    """Return the name of the file of its forests, if they are kept."""
    return f"forests.{block:05}"


@dataclass(frozen=True, eq=False)
class DerivationStore:
    """The derivations of a text; `record` says by which method, model, weights and search they were made."""

    path: Path
    record: dict[str, Any]

    @classmethod
    def open(cls, path: PathLike) -> DerivationStore:
        """Open a complete store; anything else is an InputError."""
        folder = Path(path)
        if not (folder / STORE).is_file():
            raise InputError(f"is not a store of derivations: it has no {STORE}", path=folder)
        store = cls(folder, read_record(folder))
        if store.record["complete"] is not True:
            raise InputError("is not complete; run the same command again, which continues it", path=folder)
        for file in store.files:
            if not file.is_file():
                raise InputError("is missing; run the same command again, which writes it anew", path=file)
        return store

    @property
    def files(self) -> list[Path]:
        """The files of derivations, in the order of their blocks."""
        return [self.path / file_name(int(block)) for block in sorted(self.record["blocks"], key=int)]

    def open_files(self) -> Iterator[DerivationFile]:
        """Open the files, one after another."""
        return (DerivationFile.open(path) for path in self.files)

    @property
    def counts(self) -> BlockCounts:
        """The sums over all blocks."""
        return BlockCounts.total(record_of(BlockCounts, each) for each in self.record["blocks"].values())

    @property
    def bytes(self) -> int:
        """The size of the files of derivations."""
        return sum(path.stat().st_size for path in self.files)


def read_record(folder: Path) -> dict[str, Any]:
    """Read what is known of a store, which may be incomplete."""
    path = folder / STORE
    record = read_json(path, "a record of derivations")
    try:
        check_format(record, FORMAT, VERSION, "make the derivations again", path=path)
        check_fields(record, _FIELDS)
        check_fields(record["text"], {"empty": int})
        if "background" in record:
            record_of(Background, record["background"])
        for block, counts in record["blocks"].items():
            if not block.isascii() or not block.isdigit() or len(block) > 9:
                raise ValueError(f"a block is named {block!r:.60}")
            record_of(BlockCounts, counts)
    except (ValueError, KeyError, TypeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"is damaged ({error!r:.200})", path=path) from None
    return dict(record)


class DerivationFolder:
    """The folder of a store while it is written, in any order of blocks; to be used while it is locked."""

    def __init__(self, folder: Path, record: Mapping[str, Any], *, restart: bool) -> None:
        """Continue a store with the same settings, `made_by`; refuse another, or with `restart` remove it.

        A store without any block is begun anew, whatever its settings.
        """
        self.folder = folder
        self.record = json.loads(json.dumps({**record, "complete": False, "build": Build.running().record()}))
        self.blocks: dict[int, BlockCounts] = {}
        self.tables = own_folder(folder, TABLES)
        known = read_record(folder) if KIND.is_in(folder) and not restart else {}
        if known.get("blocks"):
            self._check(known["made_by"])
        if known and not self._differing(known["made_by"]):
            for block, counts in known["blocks"].items():
                if (folder / file_name(int(block))).is_file():
                    self.blocks[int(block)] = record_of(BlockCounts, counts)
            self.record["complete"] = known["complete"] is True and len(self.blocks) == len(known["blocks"])
            self.record |= {name: known[name] for name in ("background",) if name in known}
        else:
            self.remove_tables()  # of other settings
        self.resumed = len(self.blocks)
        if self.blocks:
            self.record["build"] = known.get("build")
            if not self.record["complete"]:
                warn_of_other(self.record["build"], folder)
        self._write()
        self._remove_others()

    @property
    def is_complete(self) -> bool:
        """Whether all files are there."""
        return self.record["complete"] is True

    def add(self, block: int, counts: BlockCounts) -> None:
        """Record a block whose file was written."""
        self.blocks[block] = counts
        self._write()

    def note(self, name: str, value: object) -> None:
        """Add to the record."""
        self.record[name] = value
        self._write()

    def finish(self) -> None:
        """Record that all files are there, and remove what workers needed, also those of a killed run."""
        own_file(self.folder, WEIGHTS).unlink(missing_ok=True)
        self.note("complete", True)

    def remove_tables(self) -> None:
        """Remove the tables without rare pairs."""
        remove_own_folder(self.tables, _TABLES)

    def _write(self) -> None:
        blocks = {str(block): asdict(self.blocks[block]) for block in sorted(self.blocks)}
        whole = {"format": FORMAT, "version": VERSION, **self.record, "blocks": blocks}
        with open_write(own_file(self.folder, STORE)) as stream:
            stream.write((json.dumps(whole, indent=1, ensure_ascii=False) + "\n").encode())

    def _remove_others(self) -> None:
        """Remove files of blocks that are not recorded, after the record is written."""
        own = {name(block) for block in self.blocks for name in (file_name, forest_name)}
        remove_own(self.folder, _FILES, keep=own.__contains__)

    def _differing(self, known: Mapping[str, Any]) -> list[str]:
        own = self.record["made_by"]
        return [name for name in own if known.get(name) != own[name]]

    def _check(self, known: Mapping[str, Any]) -> None:
        for name in self._differing(known):
            was, now = (_shown(settings.get(name)) for settings in (known, self.record["made_by"]))
            raise OptionError(
                "{folder} contains derivations with another {name} ({was}, now {now}); give the same"
                " options to continue it, or {} or another folder to start anew",
                "restart",
                folder=self.folder,
                name=name.replace("_", " "),
                was=was,
                now=now,
            )


def remove_derivations(folder: Path) -> None:
    """Remove a folder of derivations, all that it has of them; what else is there stays."""
    if not KIND.is_in(folder):
        return
    KIND.clear(folder)
    for name in (WEIGHTS, STORE, LOCK):
        own_file(folder, name).unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # it has other files
        folder.rmdir()


def _shown(value: object) -> str:
    text = "none" if value is None else str(value)
    return text if len(text) <= 40 else f"{text[:40]}..."
