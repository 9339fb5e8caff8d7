"""Covariance of the features of a pool, used to choose search directions."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tunesmith.candidates.pool import Pool
from tunesmith.metrics.base import Metric
from tunesmith.types import BoolArray, FloatArray

__all__ = ["Geometry"]

FULL_WIDTH = 512
RIDGE = 1e-6
CHUNK_ENTRIES = 1 << 22


@dataclass(frozen=True, eq=False)
class Geometry:
    """Covariance of features within lists, and their correlation with the metric.

    With S the covariance of features about their list's mean, `whiten` applies S^-1/2: a direction
    drawn as S^-1/2 z, z standard normal, changes the scores of candidates evenly, whatever the
    units of the features and however they are correlated. Beyond 512 features S is taken as diagonal.
    """

    inverse_root: FloatArray
    """S^-1/2, a matrix or its diagonal."""
    root: FloatArray
    """S^1/2, a matrix or its diagonal."""
    slope: FloatArray
    """S^-1 cov(features, sentence gain): the least-squares fit of the metric within lists."""

    @classmethod
    def of(cls, pool: Pool, metric: Metric, free: BoolArray) -> Geometry:
        """Measure the free features of a pool: O(candidates * features^2) up to 512, else O(entries)."""
        sizes = np.diff(pool.offsets)
        gains = metric.sentence_gain(pool.stats(metric))
        gains = gains - np.repeat(np.add.reduceat(gains, pool.offsets[:-1]) / sizes, sizes)
        covariance, with_gain = (
            _full(pool, gains) if pool.features.width <= FULL_WIDTH else _diagonal(pool, gains)
        )
        if covariance.ndim == 2:
            inside = np.outer(free, free)
            values, vectors = np.linalg.eigh(np.where(inside, covariance, 0.0))
            floor = RIDGE * max(float(values[-1]), 1e-300)
            inverse = np.where(values > floor, 1.0 / np.maximum(values, floor), 0.0)
            inverse_root = (vectors * np.sqrt(inverse)) @ vectors.T
            root = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
            slope = inverse_root @ (inverse_root @ with_gain)
            return cls(np.where(inside, inverse_root, 0.0), root, np.where(free, slope, 0.0))
        floor = RIDGE * max(float(covariance.max()), 1e-300)
        inverse = np.where((covariance > floor) & free, 1.0 / np.maximum(covariance, floor), 0.0)
        return cls(np.sqrt(inverse), np.sqrt(covariance), inverse * with_gain)

    def whiten(self, vector: FloatArray) -> FloatArray:
        """Return S^-1/2 times a vector."""
        return self.inverse_root @ vector if self.inverse_root.ndim == 2 else self.inverse_root * vector

    def color(self, vector: FloatArray) -> FloatArray:
        """Return S^1/2 times a vector; its length is the spread of the scores that the vector gives."""
        return self.root @ vector if self.root.ndim == 2 else self.root * vector

    def spread(self, weights: FloatArray) -> float:
        """Return the standard deviation of scores within lists: sqrt(w' S w)."""
        return float(np.linalg.norm(self.color(weights)))


def _full(pool: Pool, gains: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Sum over chunks of lists, one dense chunk in memory at a time."""
    width, n = pool.features.width, pool.n_candidates
    covariance, with_gain = np.zeros((width, width)), np.zeros(width)
    starts = _chunk_starts(pool, max(1, CHUNK_ENTRIES // max(width, 1)))
    for begin, end in pairwise([*starts, len(pool)]):
        offsets = pool.offsets[begin : end + 1]
        rows, sizes = np.arange(offsets[0], offsets[-1]), np.diff(offsets)
        dense = pool.features.take(rows).to_dense()
        means = np.add.reduceat(dense, offsets[:-1] - offsets[0], axis=0) / sizes[:, None]
        dense -= np.repeat(means, sizes, axis=0)
        covariance += dense.T @ dense
        with_gain += dense.T @ gains[rows]
    return covariance / n, with_gain / n


def _chunk_starts(pool: Pool, candidates: int) -> list[int]:
    """Return the first list of each chunk of about this many candidates."""
    chunk = pool.offsets[:-1] // candidates
    return np.flatnonzero(np.diff(chunk, prepend=-1)).tolist()


def _diagonal(pool: Pool, gains: FloatArray) -> tuple[FloatArray, FloatArray]:
    features = pool.features
    rows = np.repeat(np.arange(len(features)), np.diff(features.offsets))
    lists = np.repeat(np.arange(len(pool)), np.diff(pool.offsets))[rows]
    sizes = np.diff(pool.offsets)
    columns = features.columns.astype(np.int64)
    cells, cell = np.unique(lists * features.width + columns, return_inverse=True)
    sums = np.bincount(cell, weights=features.values)
    squares = np.bincount(cell, weights=features.values**2)
    within = squares - sums**2 / sizes[cells // features.width]
    n = len(features)
    variance = np.bincount(cells % features.width, weights=within, minlength=features.width) / n
    with_gain = np.bincount(columns, weights=features.values * gains[rows], minlength=features.width) / n
    return np.maximum(variance, 0.0), with_gain
