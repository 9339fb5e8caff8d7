"""Deterministic annealing: from flat distributions over candidates to sharp ones (Smith and Eisner 2006)."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeAlias

import numpy as np

from tunesmith.candidates.pool import Pool
from tunesmith.objectives.expected_metric import ExpectedMetric
from tunesmith.objectives.expected_statistics import ExpectedStatistics
from tunesmith.objectives.forests.expected_counts import ExpectedCounts
from tunesmith.objectives.forests.linear_gain import LinearGain
from tunesmith.objectives.validated import Validated
from tunesmith.optimizers.base import Optimizer
from tunesmith.tuning.run import Run, Solution

__all__ = ["anneal", "sharp_gamma", "spread"]

Annealable: TypeAlias = ExpectedMetric | ExpectedStatistics | ExpectedCounts | LinearGain | Validated

SHARPNESS = 60.0
"""Default of the last gamma times the spread of the features."""


def sharp_gamma(pool: Pool) -> float:
    """Return 60 / spread(pool): multiplying all features by a constant then changes only the scores' size."""
    return SHARPNESS / (spread(pool) or 1.0)


def spread(pool: Pool) -> float:
    """Return the root mean square distance of candidates from the mean of their list. O(nonzeros)."""
    from scipy.sparse import csr_array

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
    run: Run[Any], objective: Annealable, optimizer: Optimizer[Any], *, temperatures: int, cooling: float
) -> Solution:
    """Minimize at each of `temperatures` gammas that rise to the objective's, each from the previous result.

    Each gamma is `cooling` times the previous one. The penalized losses of the solution are at the last
    gamma. If annealing ends above the loss of the start, the last gamma is tried from the start itself.
    """
    weights = None
    for step in reversed(range(temperatures)):
        gamma = objective.gamma / cooling**step
        end = run.minimize(dataclasses.replace(objective, gamma=gamma), optimizer, start=weights, gamma=gamma)
        weights = end.weights
    start = run.space.project(run.space.start)
    start_loss = objective.loss(start) + run.space.penalty(start)
    if not end.loss < start_loss:
        again = run.minimize(objective, optimizer, start=start, gamma=gamma)
        end = min(end, again, key=lambda each: each.loss)
    notes = {"gamma": gamma, "temperatures": temperatures}
    return Solution(end.weights, end.loss, start_loss, notes, end.unfinished)
