"""The file `run.json` of a loop's folder: settings, records of finished rounds, digests of their files."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from tunesmith.errors import InputError
from tunesmith.files import open_regular, open_write
from tunesmith.json_files import check_record, read_json
from tunesmith.metrics.components import check_components
from tunesmith.named_files import inside
from tunesmith.tuning.history import Record
from tunesmith.tuning.standardize import Standardized
from tunesmith.tuning.tune_options import Selected

__all__ = ["FORMAT", "RunState", "digest_of"]

FORMAT, VERSION = "tunesmith-tuning", 2

_ALWAYS = {"iteration": int, "score": float, "interval": tuple[float, float]}
_WITH_LOSS = {"loss": float, "start_loss": float, "moved": float}
_NUMBERS = ("dev_score", "candidates", "new", "edges", "steps", "seconds_decode", "seconds_learn")


@dataclass
class RunState:
    """The state of a run between two rounds."""

    settings: dict[str, Any]
    records: list[Record] = field(default_factory=list)
    stopped: str | None = None
    digests: dict[str, str] = field(default_factory=dict)
    """The digest of each file of a finished round, by name."""
    build: object = None
    """The record of the build that began the run; None: of an earlier one, which recorded none."""
    select: Selected | None = None
    """How weights are selected; None: by an earlier build, which did not record it."""

    @classmethod
    def read(cls, path: Path) -> RunState | None:
        """Read the file; None if there is none, an InputError if it is something else."""
        if not path.exists():
            return None
        try:
            state = read_json(path, "the state of a run")
            if (state["format"], state["version"]) != (FORMAT, VERSION):
                raise ValueError
            found = cls(*(state[name] for name in ("settings", "records", "stopped", "digests")))
            found.build, found.select = state.get("build"), state.get("select")
            check_record("settings", dict[str, object], found.settings)
            check_record("select", Selected | None, found.select)
            check_record("stopped", str | None, found.stopped)
            check_record("digests", dict[str, str], found.digests)
            check_record("records", list[object], found.records)
            for number, record in enumerate(found.records, 1):
                _check(record, number)
            _check_end(found)
            for name in found.digests:
                inside(path.parent, name, path=path)
        except (ValueError, KeyError, TypeError, AttributeError):
            raise InputError(
                "is damaged, or of another version; use {} to start anew", "restart", path=path
            ) from None
        return found

    def write(self, path: Path) -> None:
        """Replace the file."""
        state = {"format": FORMAT, "version": VERSION, **asdict(self)}
        with open_write(path) as stream:
            stream.write((json.dumps(state, indent=1, ensure_ascii=False) + "\n").encode())


def digest_of(path: Path) -> str:
    """Return the BLAKE2b digest of a file's content, of 128 bits."""
    with open_regular(path) as stream:
        return hashlib.file_digest(stream, partial(hashlib.blake2b, digest_size=16)).hexdigest()


def _check(record: Any, number: int) -> None:
    kinds = _ALWAYS | (_WITH_LOSS if "loss" in record else {})
    for name, kind in kinds.items():
        _check_number(name, kind, record[name])
    for name in _NUMBERS:
        if name in record:
            _check_number(name, float, record[name])
    check_components(record.get("components", {}))
    check_record("unfinished", str, record.get("unfinished", ""))
    check_record("at_floor", bool, record.get("at_floor", False))
    check_record("standardized", Standardized, record.get("standardized", "dense"))
    if record["iteration"] != number:
        raise ValueError


def _check_end(state: RunState) -> None:
    """Check that a run that has stopped has a round, and one that was the last has learned before it."""
    if state.stopped is None:
        return
    if not state.records:
        raise ValueError
    if state.records[-1].get("last") and not any("loss" in record for record in state.records):
        raise ValueError


def _check_number(name: str, kind: Any, value: object) -> None:
    """Like `check_record`, but a loss or a score may be infinite or NaN."""
    if kind is not float or not isinstance(value, float):
        check_record(name, kind, value)
