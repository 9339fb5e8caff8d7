"""The state of a loop in `run.json`: records of finished rounds, and digests of their files."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tunesmith.files import open_regular
from tunesmith.metrics.components import Components
from tunesmith.runs.state import FieldState
from tunesmith.tuning.history import Record, check_history
from tunesmith.tuning.standardize import Standardized
from tunesmith.tuning.tune_options import Selected

__all__ = ["LoopState", "digest_of"]

_WITH_LOSS = {"loss", "start_loss", "moved"}
_NUMBERS = ("dev_score", "candidates", "new", "edges", "steps", "seconds_decode", "seconds_learn")
_TYPES = {
    "iteration": int,
    "interval": tuple[float, float],
    "components": Components,
    "unfinished": str,
    "at_floor": bool,
    "standardized": Standardized,
    **dict.fromkeys(("score", *_WITH_LOSS, *_NUMBERS), float),
}


def _needed(record: Record) -> set[str]:
    return {"score", "interval"} | (_WITH_LOSS if "loss" in record else set())


@dataclass
class LoopState(FieldState):
    """The state of a run between two rounds."""

    records: list[Record] = field(default_factory=list)
    stopped: str | None = None
    digests: dict[str, str] = field(default_factory=dict)
    """The digest of each file of a finished round, by name."""
    select: Selected | None = None
    """How weights are selected; None: by an earlier build, which did not record it."""

    def __post_init__(self) -> None:
        """Raise ValueError or KeyError unless records are those of rounds 1, 2, ..., and an end has some."""
        check_history(self.records, 1, _TYPES, _needed)
        if self.stopped is None:
            return
        if not self.records:
            raise ValueError("a run that stopped has no round")
        if self.records[-1].get("last") and not any("loss" in record for record in self.records):
            raise ValueError("a run that stopped has learned nothing")

    @property
    def is_begun(self) -> bool:
        """Whether a round is finished."""
        return bool(self.records)


def digest_of(path: Path) -> str:
    """Return the BLAKE2b digest of a file's content, of 128 bits."""
    with open_regular(path) as stream:
        return hashlib.file_digest(stream, partial(hashlib.blake2b, digest_size=16)).hexdigest()
