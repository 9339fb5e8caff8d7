"""The history of a run: one record per iteration, in memory and as lines of a JSONL file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tunesmith.errors import InputError
from tunesmith.files import PathLike, open_write, read_chunks
from tunesmith.json_files import check_record, parse_json
from tunesmith.metrics.components import Components, check_components

__all__ = ["History", "Record", "Watcher", "check_history", "write_history"]

Record = dict[str, Any]
Watcher = Callable[[Record], None]

COMPRESSED = (".gz", ".bz2", ".xz", ".zst")


class History:
    """Records, appended to a file as they are made; `watch` is called with each of them."""

    def __init__(self, path: PathLike | None = None, watch: Watcher | None = None) -> None:
        """Keep records in memory, and in the file `path` if given; call `begin` before the first `add`."""
        self.records: list[Record] = []
        self._path = None if path is None else Path(path)
        self._watch = watch
        self._earlier = [] if self._path is None else _read(self._path)

    @property
    def earlier(self) -> int:
        """The number of records that an earlier run left in the file."""
        return len(self._earlier)

    def begin(self, count: int = 0) -> None:
        """Continue after the first `count` records of an earlier run; the file loses those that follow."""
        self.records = self._earlier[:count]
        if self._path is not None:
            write_history(self._path, self.records)

    def add(self, record: Record) -> None:
        """Append a record."""
        self.records.append(record)
        if self._path is not None:
            try:
                with self._path.open("a", encoding="utf-8") as stream:
                    stream.write(json.dumps(record) + "\n")
            except OSError as error:
                raise InputError(f"cannot write the history: {error.strerror}", path=self._path) from error
        if self._watch is not None:
            self._watch(record)


def write_history(path: Path, records: Iterable[Record]) -> None:
    """Replace the file of a history, a line per record."""
    with open_write(path) as stream:
        stream.write("".join(json.dumps(record) + "\n" for record in records).encode())


def check_history(
    records: Sequence[Record], first: int, types: Mapping[str, Any], needed: Callable[[Record], set[str]]
) -> None:
    """Raise ValueError or KeyError unless records are of iterations `first`, `first` + 1, and so on.

    Each must have the entries `needed`; all entries have their `types`, but numbers may be infinite or NaN.
    """
    for number, record in enumerate(records, first):
        if record["iteration"] != number:
            raise ValueError(f"expected the record of iteration {number}, found {record['iteration']!r:.60}")
        if missing := needed(record) - record.keys():
            raise KeyError(*missing)
        for name in record.keys() & types.keys():
            if types[name] is Components:
                check_components(record[name])
            elif types[name] is not float or not isinstance(record[name], float):
                check_record(name, types[name], record[name])


def _read(path: Path) -> list[Record]:
    """Return the records of an earlier run; a file that is something else is an InputError."""
    if path.suffix in COMPRESSED or str(path) == "-":
        raise InputError("a history is appended to: expected a plain file", path=path)
    if not path.exists():
        return []
    records: list[Record] = []
    for number, line in enumerate(b"".join(read_chunks(path)).split(b"\n"), 1):
        try:
            record = parse_json(line, "a record")
        except InputError:
            if number == 1 and line.strip():
                raise InputError("not a history; it will not be replaced", path=path, line=1) from None
            break  # the end, or the line that was being written when the run was killed
        if not (isinstance(record, dict) and "iteration" in record):
            raise InputError("not a history; it will not be replaced", path=path, line=number)
        records.append(record)
    return records
