"""Tasks for recipes over small pools."""

from __future__ import annotations

import dataclasses

import numpy as np
from tests.toy_metrics import Mean

from tunesmith.candidates.pool import Pool
from tunesmith.metrics.base import Metric
from tunesmith.optimizers.space import Space
from tunesmith.tuning.history import Journal
from tunesmith.tuning.recipe import RECIPES, Solution, Task


def task_for(
    pool: Pool,
    *,
    metric: Metric | None = None,
    l2: float = 0.1,
    seed: int = 1,
    threads: int = 1,
    journal: Journal | None = None,
    **space: object,
) -> Task:
    where = Space.build(pool.feature_names, len(pool), l2=l2, **space)  # type: ignore[arg-type]
    return Task(pool, metric or Mean(), where, seed, threads, journal or Journal())


def solve(name: str, task: Task, **options: object) -> Solution:
    return RECIPES[name].configure(options).run(task)


def chosen_quality(pool: Pool, solution: Solution) -> float:
    """The mean quality of the candidates that the tuned model prefers."""
    return float(pool.scores["quality"][pool.best(solution.weights)].mean())


def first_quality(pool: Pool) -> float:
    """The mean quality of the first candidates, which a model without weights prefers."""
    return float(pool.scores["quality"][pool.offsets[:-1]].mean())


class KilledError(Exception):
    """A run was killed."""


def interrupt_after(steps: int, journal: Journal) -> Journal:
    """Make a journal die after saving so many checkpoints."""
    save, left = journal._save, [steps]

    def dying() -> None:
        save()
        left[0] -= 1
        if left[0] == 0:
            raise KilledError

    journal._save = dying  # type: ignore[method-assign]
    return journal


def same(one: Solution, other: Solution) -> bool:
    """Whether two solutions are equal to the last bit."""
    return (
        np.array_equal(one.weights, other.weights)
        and dataclasses.replace(one, weights=other.weights) == other
    )
