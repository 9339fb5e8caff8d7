"""Deterministic annealing: from flat distributions over candidates to sharp ones (Smith and Eisner 2006)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tunesmith.errors import OptionError
from tunesmith.objectives.base import SmoothObjective
from tunesmith.optimizers.base import Optimizer
from tunesmith.tune.recipe import Solution, Task

__all__ = ["anneal", "rising"]


def rising(gamma: float, temperatures: int, cooling: float) -> list[float]:
    """Return `temperatures` values that rise to `gamma`, each `cooling` times the one before."""
    if temperatures < 1:
        raise OptionError(f"temperatures must be at least 1, not {temperatures}")
    if not cooling > 1:
        raise OptionError(f"cooling must be above 1, not {cooling}")
    return [gamma / cooling**step for step in reversed(range(temperatures))]


def anneal(
    task: Task,
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
