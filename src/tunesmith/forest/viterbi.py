"""The best derivation."""

from __future__ import annotations

from tunesmith import _native
from tunesmith.forest.derivation import Derivation
from tunesmith.forest.forest import Forest
from tunesmith.forest.scores import Scores, edge_scores

__all__ = ["viterbi"]


def viterbi(forest: Forest, scores: Scores) -> Derivation:
    """Return the derivation of the root with the highest score; among equals nodes take their lowest edge.

    An empty forest, or scores that forbid all derivations, are an InputError. O(edges).
    """
    score, edges = _native.viterbi(forest.native, edge_scores(forest, scores))
    return Derivation(forest, tuple(edges.tolist()), score)
