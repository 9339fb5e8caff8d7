"""Warns of features that are the metric itself: a label among the features, unknown at test time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, TypeAlias

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

_GOLDEN = (5**0.5 - 1) / 2
"""Multiples of the golden ratio, modulo 1, are spread evenly however many of them are taken."""

_List: TypeAlias = tuple[IntArray, FloatArray]
"""The rows of candidates, and their gains."""


def leak_warnings(data: Any, metric: Metric, space: Space, threads: int | None = None) -> Iterator[str]:
    """Yield a warning for each feature that orders the candidates within lists as the metric does.

    That is, the mean of Spearman's rank correlation between the feature and the sentence-level gain is at
    least 0.98 in absolute value, over at most 200 lists, evenly spaced, in which the gain has at least 3
    values. Features whose mean over the first 10 of these lists is below 0.8 are not looked at any further.
    Features frozen at zero are skipped, as are forests.
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
    """Return name, correlation and number of lists of each copy. O(compared values x log candidates).

    Honest features drop out in the trial, so that usually only `TRIAL` lists are compared.
    """
    lists = _lists(pool, stats, metric)
    trial = list(islice(lists, TRIAL))
    if len(trial) < LEAST_LISTS:
        return []
    sample = pool.features.take(np.concatenate([rows for rows, _ in trial]))
    # A feature that most candidates lack is no copy of a metric.
    counts = np.bincount(sample.columns, minlength=sample.width)
    columns = np.flatnonzero(used & (2 * counts >= len(sample)))
    sums = _summed_correlations(sample, trial, columns)
    near = np.abs(sums) >= HOPELESS * len(trial)
    columns, sums = columns[near], sums[near]
    rest = list(lists) if len(columns) else []
    if rest:
        sample = pool.features.take(np.concatenate([rows for rows, _ in rest]))
        sums += _summed_correlations(sample, rest, columns)
    count = len(trial) + len(rest)
    means = zip(columns.tolist(), (sums / count).tolist(), strict=True)
    return [(pool.feature_names[column], mean, count) for column, mean in means if abs(mean) >= COPY]


def _lists(pool: Pool, stats: FloatArray, metric: Metric) -> Iterator[_List]:
    """Yield rows and gains of the lists to compare, the first ones spread over the pool like all."""
    places = np.unique(np.linspace(0, len(pool) - 1, MOST_LISTS).astype(np.int64))
    for place in places[np.argsort(np.arange(len(places)) * _GOLDEN % 1.0)].tolist():
        begin, end = pool.offsets[place : place + 2].tolist()
        rows = np.arange(begin, min(end, begin + MOST_CANDIDATES))
        gains = metric.sentence_gain(stats[rows])
        if len(np.unique(gains)) >= 3:
            yield rows, gains


def _summed_correlations(sample: Features, lists: Sequence[_List], columns: IntArray) -> FloatArray:
    """Return the sum over lists of the correlations of some columns; `sample` has the rows of the lists."""
    place = np.full(sample.width, -1, dtype=np.int64)
    place[columns] = np.arange(len(columns))
    found = place[sample.columns]
    rows = np.repeat(np.arange(len(sample)), np.diff(sample.offsets))
    block = np.zeros((len(sample), len(columns)))
    block[rows[found >= 0], found[found >= 0]] = sample.values[found >= 0]
    sums, begin = np.zeros(len(columns)), 0
    for _, gains in lists:
        sums += _rank_correlations(block[begin : begin + len(gains)], gains)
        begin += len(gains)
    return sums


def _rank_correlations(values: FloatArray, gains: FloatArray) -> FloatArray:
    """Return Spearman's correlation of each column with the gains; 0 for a constant column."""
    ranks = _ranks(np.column_stack([gains, values]))
    ranks -= ranks.mean(axis=0)
    products = ranks[:, 0] @ ranks
    lengths = np.sqrt(products[0] * np.einsum("ij,ij->j", ranks, ranks))
    return np.asarray(np.where(lengths > 0, products / np.maximum(lengths, 1e-300), 0.0)[1:])


def _ranks(values: FloatArray) -> FloatArray:
    """Return the ranks within each column, equal values sharing their mean.

    Not by scipy.stats, which takes a second to import.
    """
    height, width = values.shape
    order = np.argsort(values, axis=0)
    ordered = np.take_along_axis(values, order, axis=0)
    begins = np.ones((width, height), dtype=np.bool_)
    begins[:, 1:] = (ordered[1:] != ordered[:-1]).T
    groups = np.cumsum(begins) - 1  # of equal values, column after column
    counts = np.bincount(groups)
    means = np.cumsum(counts) - (counts - 1) / 2
    ranks = np.empty((height, width))
    np.put_along_axis(ranks, order, means[groups].reshape(width, height).T, axis=0)
    return np.asarray(ranks - height * np.arange(width))
