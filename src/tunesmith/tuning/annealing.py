"""Deterministic annealing: from flat distributions over candidates to sharp ones (Smith and Eisner 2006)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from tunesmith.candidates.pool import Pool
from tunesmith.errors import OptionError
from tunesmith.objectives.base import SmoothObjective
from tunesmith.optimizers.base import Optimizer
from tunesmith.tuning.method import Solution, Stages

__all__ = ["anneal", "check_cooling", "geometric", "rising", "spread"]

SHARPNESS = 60.0
"""The default last gamma times the spread of the features."""


def rising(pool: Pool, gamma: float | None, temperatures: int, cooling: float) -> list[float]:
    """Return `temperatures` values that rise to `gamma`: see `geometric`.

    If none is given, the last is 60 / spread(pool): multiplying all features by a constant changes
    nothing then but the size of scores.
    """
    return geometric(gamma if gamma is not None else SHARPNESS / (spread(pool) or 1.0), temperatures, cooling)


def check_cooling(method: str, cooling: float) -> None:
    """Raise OptionError unless scales rise: the factor between them is above 1."""
    if not cooling > 1:
        raise OptionError(f"{method}: cooling must be above 1, not {cooling}")


def geometric(last: float, temperatures: int, cooling: float) -> list[float]:
    """Return `temperatures` values that rise to `last`, each `cooling` times the one before."""
    return [last / cooling**step for step in reversed(range(temperatures))]


def spread(pool: Pool) -> float:
    """Return the root mean square distance of candidates from the mean of their list. O(nonzeros)."""
    rows = pool.features
    matrix = csr_array((rows.values, rows.columns, rows.offsets), shape=(len(rows), rows.width))
    sizes = np.diff(pool.offsets)
    average = csr_array(
        (np.repeat(1.0 / sizes, sizes), np.arange(len(rows)), pool.offsets), shape=(len(pool), len(rows))
    )
    means = average @ matrix
    within = (rows.values**2).sum() - (sizes * (means * means).sum(axis=1)).sum()
    return float(np.sqrt(max(within, 0.0) / len(rows)))


def anneal(
    task: Stages[Any],
    objective_at: Callable[[float], SmoothObjective],
    optimizer: Optimizer[Any],
    gammas: Sequence[float],
) -> Solution:
    """Minimize at each gamma from where the last one ended.

    The penalized losses of the solution are those of the last gamma. If the way through the flat
    distributions ends above the loss of the start, the last gamma is tried from the start itself.
    """
    start = task.space.project(task.space.start)
    weights = start
    for gamma in gammas:
        objective = objective_at(gamma)
        state = task.minimize(objective, optimizer, start=weights, gamma=gamma)
        weights = state.weights
    start_loss = objective.loss(start) + task.space.penalty(start)
    if not state.loss < start_loss:
        again = task.minimize(objective, optimizer, start=start, gamma=gammas[-1])
        state = min(state, again, key=lambda end: end.loss)
    return Solution(state.weights, state.loss, start_loss, {"gamma": gammas[-1], "temperatures": len(gammas)})
