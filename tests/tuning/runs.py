"""Runs of methods over small pools of lists or forests, and runs that are killed."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.toy_metrics import Mean

from tunesmith.candidates.pool import Pool
from tunesmith.metrics.base import Metric
from tunesmith.optimizers.space import Space
from tunesmith.tuning.checkpoint import Checkpoint, Saved
from tunesmith.tuning.data import TrainingData
from tunesmith.tuning.history import History
from tunesmith.tuning.method import METHODS
from tunesmith.tuning.run import Run, Solution


class KilledError(Exception):
    """A run was killed."""


@dataclass(frozen=True)
class DyingCheckpoint(Checkpoint):
    """A checkpoint that is the last thing a run does after a given number of saves."""

    left: list[int]

    def save(self, saved: Saved) -> None:
        super().save(saved)
        self.left[0] -= 1
        if self.left[0] == 0:
            raise KilledError


def run_for(
    pool: TrainingData,
    *,
    metric: Metric | None = None,
    l2: float = 0.1,
    seed: int = 1,
    threads: int = 1,
    path: Path | None = None,
    dies_after: int = 0,
    **space: object,
) -> Run[Any]:
    """Return a run with a history in `path`, if given, that dies after a given number of checkpoints."""
    where = Space.build(pool.feature_names, len(pool), l2=l2, **space)  # type: ignore[arg-type]
    checkpoint = None
    if path is not None:
        place = Checkpoint.of(path, "fingerprint").path
        checkpoint = DyingCheckpoint(place, "fingerprint", [dies_after])
    return Run(pool, metric or Mean(), where, seed, threads, History(path), checkpoint)


def solve(name: str, run: Run[Any], **options: object) -> Solution:
    return METHODS[name].configure(options).learn(run)


def check_resumes(
    name: str, path: Path, make: Callable[..., Run[Any]], steps: int, **options: object
) -> None:
    """Check that a run which is killed after some checkpoints ends where it would have ended."""
    with pytest.raises(KilledError):
        solve(name, make(path=path, dies_after=steps), **options)
    again = make(path=path)
    assert again.history.records
    assert same(solve(name, again, **options), solve(name, make(), **options))


def chosen_quality(pool: Pool, solution: Solution) -> float:
    """The mean quality of the candidates that the tuned model prefers."""
    return float(pool.scores["quality"][pool.best(solution.weights)].mean())


def first_quality(pool: Pool) -> float:
    """The mean quality of the first candidates, which a model without weights prefers."""
    return float(pool.scores["quality"][pool.offsets[:-1]].mean())


def same(one: Solution, other: Solution) -> bool:
    """Whether two solutions are equal to the last bit."""
    return (
        np.array_equal(one.weights, other.weights)
        and dataclasses.replace(one, weights=other.weights) == other
    )
