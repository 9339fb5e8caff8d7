"""The record of trials of the search, `tries.json`: what was tried, and how it scored."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tunesmith.errors import InputError
from tunesmith.files import open_write
from tunesmith.json_files import read_json
from tunesmith.named_files import own_file
from tunesmith.runs.kind import RunKind

__all__ = ["KIND", "TRIES", "Trial", "TrialRecord", "Untried", "known_seconds", "known_untried"]

TRIES = "tries"
"""Folder of the runs, one per combination of values, in the folder of the result; its list is TRIES.json."""
FORMAT, VERSION = "tunesmith-tries", 1
KIND = RunKind(
    FORMAT, f"{TRIES}.json", "tuning run", is_earlier=lambda found: {"trials", "best"} <= found.keys()
)


@dataclass(frozen=True)
class Trial:
    """One combination of options: the folder of its run, its scores (0 to 1), and how long it took."""

    options: Mapping[str, Any]
    folder: str
    score: float
    select_score: float
    iterations: int
    seconds: float


@dataclass(frozen=True)
class Untried:
    """The score of the select set under the start weights and no option tried, and what it depends on."""

    select_score: float
    digest: str


@dataclass(frozen=True)
class TrialRecord:
    """All trials so far, the number of the best one, and what they are compared with.

    `all_worse` is whether the start weights, without any option tried, translate the select set better.
    """

    trials: tuple[Trial, ...] = ()
    best: int = 0
    untried: Untried | None = None
    all_worse: bool = False

    @classmethod
    def of(cls, trials: Sequence[Trial], untried: Untried | None, sign: float) -> TrialRecord:
        """Choose the best of at least one trial, the first of equal ones; `sign` is that of the metric."""
        best = max(range(len(trials)), key=lambda each: (sign * trials[each].select_score, -each))
        found = sign * trials[best].select_score
        below = untried is not None and found < sign * untried.select_score
        return cls(tuple(trials), best, untried, below)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {**asdict(self), "trials": [asdict(trial) for trial in self.trials]}

    def write(self, folder: Path) -> None:
        """Write the list of trials into the folder of the result."""
        with open_write(own_file(folder, f"{TRIES}.json")) as stream:
            whole = {"format": FORMAT, "version": VERSION, **self.to_dict()}
            stream.write((json.dumps(whole, indent=1) + "\n").encode())


def known_seconds(folder: Path) -> dict[str, float]:
    """Return the time of each trial of an earlier call; none if the list is missing or damaged."""
    try:
        return {str(each["folder"]): float(each["seconds"]) for each in _read(folder).get("trials", [])}
    except (InputError, AttributeError, KeyError, TypeError, ValueError):
        return {}  # it is written anew


def known_untried(folder: Path, digest: str) -> Untried | None:
    """Return the score without any option tried of an earlier call; None if it is not known."""
    try:
        found = _read(folder).get("untried") or {}
        return Untried(float(found["select_score"]), digest) if found["digest"] == digest else None
    except (InputError, AttributeError, KeyError, TypeError, ValueError):
        return None


def _read(folder: Path) -> Any:
    path = folder / f"{TRIES}.json"
    return read_json(path, "a list of trials") if path.is_file() else {}
