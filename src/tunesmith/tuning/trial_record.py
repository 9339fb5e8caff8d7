"""The record of trials of the search, `tries.json`: what was tried, and how it scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from tunesmith.errors import InputError
from tunesmith.json_files import record_of
from tunesmith.runs.kind import RunKind, RunRecord

__all__ = ["KIND", "TRIES", "Trial", "TrialRecord", "Untried", "known_trials"]

TRIES = "tries"
"""Folder of the runs, one per combination of values, in the folder of the result; its list is TRIES.json."""


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
    def best_of(cls, trials: Sequence[Trial], untried: Untried | None, sign: float) -> TrialRecord:
        """Choose the best of at least one trial, the first of equal ones; `sign` is that of the metric."""
        best = max(range(len(trials)), key=lambda each: (sign * trials[each].select_score, -each))
        found = sign * trials[best].select_score
        below = untried is not None and found < sign * untried.select_score
        return cls(tuple(trials), best, untried, below)

    @property
    def is_begun(self) -> bool:
        """Whether there is a trial."""
        return bool(self.trials)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {**asdict(self), "trials": [asdict(trial) for trial in self.trials]}

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Self:
        """Return the trials of a record; see `State`."""
        trials = tuple(record_of(Trial, each) for each in record["trials"])
        untried = record.get("untried")
        return cls(trials, record["best"], None if untried is None else record_of(Untried, untried))

    def write(self, folder: Path) -> None:
        """Write the list of trials into the folder of the result."""
        KIND.write(folder, RunRecord({}, self))


KIND = RunKind(
    "tunesmith-tries",
    f"{TRIES}.json",
    "tuning run",
    state=TrialRecord,
    settings="",
    is_earlier=lambda found: {"trials", "best"} <= found.keys(),
)


def known_trials(folder: Path) -> TrialRecord:
    """Return the trials of an earlier call; none if the list is missing or damaged, and written anew."""
    try:
        return KIND.read(folder).state
    except InputError:
        return TrialRecord()
