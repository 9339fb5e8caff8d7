"""The best derivation."""

from __future__ import annotations

from tunesmith import _native
from tunesmith.forest.derivation import Derivation
from tunesmith.forest.forest import Forest
from tunesmith.forest.scores import Scores, edge_scores

__all__ = ["viterbi"]


def viterbi(forest: Forest, scores: Scores, *, missing: float | None = None) -> Derivation:
    """Return the derivation of the root with the highest score; among equals nodes take their lowest edge.

    Features without a weight have the weight `missing`, or are an InputError. So are an empty forest, and
    scores that forbid all derivations. O(edges).
    """
    score, edges = _native.viterbi(forest.native, edge_scores(forest, scores, missing=missing))
    return Derivation(forest, tuple(edges.tolist()), score)
