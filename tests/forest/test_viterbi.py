"""The best derivation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from tests.forest.strategies import brute_force, scored_forests, total

from tunesmith.errors import InputError
from tunesmith.forest import Edge, build_forest, viterbi


@given(scored_forests(forbidden=True))
def test_it_is_the_best_of_all_and_takes_the_lowest_edges_among_equals(scored):
    forest, scores = scored
    found = brute_force(forest, scores)
    if not found:
        with pytest.raises(InputError, match="forbid every derivation"):
            viterbi(forest, scores)
        return
    best = viterbi(forest, scores)
    # Quarters have exact sums; the first of equals in the enumeration has the lowest edges, node by node.
    assert (best.score, best.edges) == found[0]
    assert total(best.edges, scores) == best.score


def test_weights_serve_as_scores():
    forest = build_forest([[Edge((), ("a",), {"lm": 1.0}), Edge((), ("b",), {"lm": 2.0})]])
    assert viterbi(forest, {"lm": 1.0}).text == "b"
    assert viterbi(forest, {"lm": -1.0}).text == "a"


def test_an_empty_forest_has_no_best_derivation():
    with pytest.raises(InputError, match="empty"):
        viterbi(build_forest([]), np.zeros(0))


@pytest.mark.parametrize("score", [np.nan, np.inf])
def test_scores_that_are_no_numbers_are_refused(score: float):
    forest = build_forest([[Edge((), ("a",), {}), Edge((), ("b",), {})]])
    with pytest.raises(InputError, match="edge 1 is"):
        viterbi(forest, np.array([0.0, score]))


@pytest.mark.parametrize("scores", [np.zeros(2), np.zeros(0), np.zeros((1, 1))])
def test_scores_must_be_as_many_as_edges(scores: np.ndarray):
    with pytest.raises(InputError, match=r"scores of shape .* for 1 edges"):
        viterbi(build_forest([[Edge((), ("a",), {})]]), scores)


def test_scores_whose_sum_overflows_are_refused():
    forest = build_forest([[Edge((), ("a",), {})], [Edge((0, 0), (-1, -2), {})]])
    with pytest.raises(InputError, match="no finite sum"):
        viterbi(forest, np.array([1e308, 1e308]))
