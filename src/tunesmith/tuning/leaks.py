"""Warns of features that are the metric itself: a label among the features, unknown at test time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tunesmith.candidates.features import Features
from tunesmith.candidates.pool import Pool
from tunesmith.metrics.base import Metric
from tunesmith.optimizers.space import Space
from tunesmith.types import BoolArray, FloatArray, IntArray

__all__ = ["leak_warnings"]

COPY = 0.98
"""Mean rank correlation with the metric, in absolute value, from which a feature counts as a copy of it."""
LEAST_LISTS, MOST_LISTS = 5, 200
MOST_CANDIDATES = 100
"""Of each list, the first ones are compared."""
TRIAL = 10
"""After this many lists, features far below a copy's correlation are no longer computed."""
HOPELESS = 0.8


def leak_warnings(data: Any, metric: Metric, space: Space, threads: int | None = None) -> Iterator[str]:
    """Yield a warning for each feature that orders the candidates within lists as the metric does.

    That is, the mean of Spearman's rank correlation between the feature and the sentence-level gain is at
    least 0.98 in absolute value, over at most 200 lists, evenly spaced, in which the gain has at least 3
    values. Features frozen at zero are skipped, as are forests.
    """
    if not isinstance(data, Pool):
        return
    used = space.free | (space.start != 0)
    for name, correlation, lists in _copies(data, data.stats(metric, threads), metric, used):
        yield (
            f"feature {name!r} orders the candidates of a list as {metric.label} does (mean rank correlation"
            f" {correlation:.3f} over {lists} lists): if it was computed from the references, the weights are"
            " useless for other text; read it as a score, not as a feature, or freeze it at 0"
        )


def _copies(pool: Pool, stats: FloatArray, metric: Metric, used: BoolArray) -> list[tuple[str, float, int]]:
    """Return name, correlation and number of lists of each copy. O(compared values x log candidates)."""
    lists = _lists(pool, stats, metric)
    if len(lists) < LEAST_LISTS:
        return []
    sample = pool.features.take(np.concatenate([rows for rows, _ in lists]))
    borders = np.cumsum([0, *(len(rows) for rows, _ in lists)]).tolist()
    # A feature that most candidates lack is no copy of a metric.
    counts = np.bincount(sample.columns, minlength=sample.width)
    columns = np.flatnonzero(used & (2 * counts >= len(sample)))
    sums = np.zeros(len(columns))
    for done, (_, gains) in enumerate(lists):
        sums += _rank_correlations(_block(sample, borders[done], borders[done + 1], columns), gains)
        if done + 1 >= TRIAL:
            near = np.abs(sums) >= HOPELESS * (done + 1)
            columns, sums = columns[near], sums[near]
        if len(columns) == 0:
            break
    means = zip(columns.tolist(), (sums / len(lists)).tolist(), strict=True)
    return [(pool.feature_names[column], mean, len(lists)) for column, mean in means if abs(mean) >= COPY]


def _lists(pool: Pool, stats: FloatArray, metric: Metric) -> list[tuple[IntArray, FloatArray]]:
    """Return rows and gains of the lists to compare, evenly spaced over the pool."""
    lists = []
    for place in np.unique(np.linspace(0, len(pool) - 1, MOST_LISTS).astype(np.int64)).tolist():
        begin, end = pool.offsets[place : place + 2].tolist()
        rows = np.arange(begin, min(end, begin + MOST_CANDIDATES))
        gains = metric.sentence_gain(stats[rows])
        if len(np.unique(gains)) >= 3:
            lists.append((rows, gains))
    return lists


def _block(features: Features, begin: int, end: int, columns: IntArray) -> FloatArray:
    """Return a dense matrix of some rows and columns; absent values are zero."""
    place = np.full(features.width, -1, dtype=np.int64)
    place[columns] = np.arange(len(columns))
    entries = slice(features.offsets[begin], features.offsets[end])
    rows = np.repeat(np.arange(end - begin), np.diff(features.offsets[begin : end + 1]))
    found = place[features.columns[entries]]
    block = np.zeros((end - begin, len(columns)))
    block[rows[found >= 0], found[found >= 0]] = features.values[entries][found >= 0]
    return block


def _rank_correlations(values: FloatArray, gains: FloatArray) -> FloatArray:
    """Return Spearman's correlation of each column with the gains; 0 for a constant column."""
    ranks = np.column_stack([_ranks(column) for column in values.T]) if values.size else values
    wanted = _ranks(gains)
    ranks = ranks - ranks.mean(axis=0)
    wanted = wanted - wanted.mean()
    lengths = np.linalg.norm(ranks, axis=0) * np.linalg.norm(wanted)
    return np.asarray(np.where(lengths > 0, wanted @ ranks / np.maximum(lengths, 1e-300), 0.0))


def _ranks(values: FloatArray) -> FloatArray:
    """Return the ranks of values, equal ones sharing their mean; scipy.stats takes a second to import."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[places])
