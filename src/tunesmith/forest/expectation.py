"""Expectations of sums over the edges of a derivation, and their gradients."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.forest.forest import Forest
from tunesmith.forest.inside import posteriors
from tunesmith.forest.scores import Scores, edge_scores
from tunesmith.types import FloatArray

__all__ = [
    "Expectation",
    "entropy",
    "expectation",
    "expected_features",
    "expected_statistics",
    "feature_sums",
]


@dataclass(frozen=True, eq=False)
class Expectation:
    """E[r] under p(d) = exp(score(d)) / Z, where r(d) is the sum of r(e) over the edges of d.

    c_e(d) is the number of uses of edge e in derivation d.
    """

    forest: Forest
    log_partition: float
    mean: float
    """E[r]"""
    variance: float
    """Var[r]"""
    posteriors: FloatArray
    """E[c_e] of each edge."""
    covariances: FloatArray
    """Cov[r, c_e] = E[r c_e] - E[r] E[c_e] of each edge: the derivative of E[r] by the edge's score."""

    @property
    def gradient(self) -> FloatArray:
        """E[r phi] - E[r] E[phi], the gradient of E[r] by the weights, in the order of `feature_names`."""
        return feature_sums(self.forest, self.covariances)


def expectation(forest: Forest, scores: Scores, values: npt.ArrayLike) -> Expectation:
    """Return mean, variance and derivatives of an additive function with value r(e) on edge e.

    One inside and one outside pass over the expectation semiring (Li and Eisner 2009, second-order
    expectations). O(edges). A forest without derivations is an InputError.
    """
    array = edge_scores(forest, scores)
    found = _native.edge_expectation(forest.native, array, np.ascontiguousarray(values, dtype=np.float64))
    return Expectation(forest, *found)


def expected_features(forest: Forest, scores: Scores) -> FloatArray:
    """Return E[phi], the gradient of log Z by the weights, in the order of `feature_names`. O(features)."""
    return feature_sums(forest, posteriors(forest, scores).edges)


def expected_statistics(forest: Forest, scores: Scores, statistics: npt.ArrayLike) -> FloatArray:
    """Return E[s] of additive statistics, given as a matrix with one row per edge. One pass."""
    rows = np.ascontiguousarray(statistics, dtype=np.float64)
    if rows.ndim != 2 or len(rows) != forest.edge_count:
        raise InputError(
            f"statistics of shape {rows.shape}; expected one row for each of {forest.edge_count} edges"
        )
    return _native.expected_statistics(posteriors(forest, scores).edges, rows)


def feature_sums(forest: Forest, values: npt.ArrayLike) -> FloatArray:
    """Return the sum over edges of value times features, in the order of `feature_names`."""
    return _native.feature_sums(forest.native, np.ascontiguousarray(values, dtype=np.float64))


def entropy(forest: Forest, scores: Scores) -> float:
    """Return H = -sum of p(d) log p(d) = log Z - E[score], in nats; 0 for an empty forest."""
    if forest.node_count == 0:
        return 0.0
    array = edge_scores(forest, scores)
    # A forbidden edge has weight zero; any finite value serves in its place.
    found = expectation(forest, array, np.where(np.isneginf(array), 0.0, array))
    return max(found.log_partition - found.mean, 0.0)
