"""How much model scores and metric gains vary within lists: what start weights are sized by."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tunesmith import _native
from tunesmith.candidates.pool import Pool
from tunesmith.forest.pool import ForestPool
from tunesmith.metrics.base import Metric
from tunesmith.objectives.base import Objective, SmoothObjective
from tunesmith.objectives.forests.lists import best_lists
from tunesmith.objectives.hope_fear import MarginObjective
from tunesmith.optimizers.space import Space
from tunesmith.types import FloatArray

__all__ = ["compared_lists", "mean_deviation", "ranked_share", "some_lists", "start_factor"]

CANDIDATES = 100
"""Candidates per forest."""

LISTS = 200
"""A mean over so many lists, evenly spaced, is as good as one over all."""

AROUND = 8.0
"""Convex losses of likelihoods are lowest within these sizes; beyond, probabilities are 0 and 1."""

POINTS = 7
"""Sizes that are compared first."""

CLOSE = 1e-3
"""Width, as an exponent of `AROUND`, at which the search for the best size ends."""

ROUNDING = 1e-9
"""Scores that differ by a smaller share of their size are equal."""


def compared_lists(data: Any, weights: FloatArray, threads: int) -> Pool:
    """Return candidate lists to compare scores in: the data itself, or the best candidates of forests."""
    if not isinstance(data, ForestPool):
        pool: Pool = data
        return pool
    return best_lists(data, weights, CANDIDATES, threads=threads)


def some_lists(pool: Pool) -> Pool:
    """Return `LISTS` lists of a pool, evenly spaced."""
    return pool.take_lists(np.unique(np.linspace(0, len(pool) - 1, LISTS).astype(np.int64)))


def ranked_share(pool: Pool, weights: FloatArray) -> float:
    """Return the share of lists in which the weights prefer some candidate. O(nonzeros)."""
    scores, begins = pool.features.dot(weights), pool.offsets[:-1]
    high, low = np.maximum.reduceat(scores, begins), np.minimum.reduceat(scores, begins)
    return float(np.mean(high - low > ROUNDING * np.maximum(np.abs(high), np.abs(low))))


def start_factor(objective: Objective, data: Any, metric: Metric, space: Space, threads: int) -> float:
    """Return the factor that gives the start weights of a space the size that suits an objective.

    The ranking does not depend on the size of weights, but learning does. Margins add model scores and gains
    B of the metric: the standard deviations within lists, averaged over lists, should be equal. With far
    larger weights all margins hold, and nothing is learned; with far smaller ones, the start is forgotten.
    Probabilities exp(gamma * score) / Z should neither be all equal nor 0 and 1, where gradients vanish: of
    deviations from 1 / `AROUND` to `AROUND` times 1 / gamma, that of the lowest penalized loss is taken. The
    loss of line searches does not depend on the size: 1. It is 1, too, if scores do not vary.
    """
    weights = space.project(space.start)
    if not isinstance(objective, MarginObjective | SmoothObjective) or not weights.any():
        return 1.0
    pool = some_lists(compared_lists(data, weights, threads))
    spread = mean_deviation(pool, pool.features.dot(weights, threads))
    if not spread > 0:
        return 1.0
    if isinstance(objective, MarginObjective):
        return (_gain_deviation(pool, metric, threads) or spread) / spread
    usual = 1.0 / (getattr(objective, "gamma", 1.0) * spread)

    def loss(size: float) -> float:
        sized = usual * AROUND**size * weights
        return objective.loss(sized) + space.penalty(sized)

    return float(usual * AROUND ** _lowest(loss))


def _lowest(loss: Callable[[float], float]) -> float:
    """Return where a function is lowest from -1 to 1, by golden sections around the best of some points."""
    points = np.linspace(-1.0, 1.0, POINTS)
    best = int(np.argmin([loss(point) for point in points.tolist()]))
    low, high = float(points[max(best - 1, 0)]), float(points[min(best + 1, POINTS - 1)])
    share = 0.5 * (np.sqrt(5.0) - 1.0)
    left, right = high - share * (high - low), low + share * (high - low)
    at_left, at_right = loss(left), loss(right)
    while high - low > CLOSE:
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - share * (high - low)
            at_left = loss(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + share * (high - low)
            at_right = loss(right)
    return 0.5 * (low + high)


def mean_deviation(pool: Pool, values: FloatArray) -> float:
    """Return the mean over lists of the standard deviation of values, one per candidate."""
    sizes, begins = np.diff(pool.offsets), pool.offsets[:-1]
    centered = values - np.repeat(np.add.reduceat(values, begins) / sizes, sizes)
    return float(np.mean(np.sqrt(np.add.reduceat(centered**2, begins) / sizes)))


def _gain_deviation(pool: Pool, metric: Metric, threads: int) -> float:
    """Return the mean deviation of B within a background of ones, with which passes begin."""
    stats = np.ascontiguousarray(pool.stats(metric, threads), dtype=np.float64)
    scorer, ones = metric.scorer(), np.ones(metric.width)
    lists = [stats[begin:end] for begin, end in zip(pool.offsets[:-1], pool.offsets[1:], strict=True)]
    return float(np.mean([_native.document_gains(each, scorer, ones).std() for each in lists]))
