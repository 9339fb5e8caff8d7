"""Sums over all derivations: inside, outside, posteriors (Goodman 1999)."""

from __future__ import annotations

from dataclasses import dataclass

from tunesmith import _native
from tunesmith.forest.forest import Forest
from tunesmith.forest.scores import Scores, edge_scores
from tunesmith.types import FloatArray

__all__ = ["Posteriors", "inside", "log_partition", "max_marginals", "outside", "posteriors"]


def log_partition(forest: Forest, scores: Scores) -> float:
    """Return log Z, where Z is the sum of exp(score) over all derivations; -inf if there are none."""
    return _native.log_partition(forest.native, edge_scores(forest, scores))


def inside(forest: Forest, scores: Scores) -> FloatArray:
    """Return log beta of each node: the log of the summed exp(score) of its derivations. O(edges)."""
    return _native.log_inside(forest.native, edge_scores(forest, scores))


def outside(forest: Forest, scores: Scores) -> FloatArray:
    """Return log alpha of each node, where alpha(v) is the derivative of Z by beta(v). O(edges)."""
    return _native.log_outside(forest.native, edge_scores(forest, scores))


@dataclass(frozen=True, eq=False)
class Posteriors:
    """Expected number of uses of each edge and node by a derivation from p(d) = exp(score(d)) / Z.

    These are probabilities, unless a derivation can use a node more than once. Relative rounding errors are
    about 1e-16 x |log Z| per term. Nothing is clamped: an edge that is always used may have slightly more or
    less than 1.
    """

    log_partition: float
    edges: FloatArray
    nodes: FloatArray


def posteriors(forest: Forest, scores: Scores) -> Posteriors:
    """Return E[c_e] = exp(alpha(head) + score + sum of beta(tails) - log Z) of each edge. O(edges).

    An empty forest has empty arrays; scores that forbid all derivations are an InputError.
    """
    return Posteriors(*_native.posteriors(forest.native, edge_scores(forest, scores)))


def max_marginals(forest: Forest, scores: Scores) -> FloatArray:
    """Return the score of the best derivation that uses each edge, -inf if none does. O(edges)."""
    return _native.max_marginals(forest.native, edge_scores(forest, scores))
