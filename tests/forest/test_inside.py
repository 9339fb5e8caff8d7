"""Sums over all derivations."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from tests.forest.strategies import brute_force, derivations, scored_forests, total

from tunesmith.errors import InputError
from tunesmith.forest import (
    Edge,
    build_forest,
    inside,
    log_partition,
    max_marginals,
    outside,
    posteriors,
)


def log_sum(scores: list[float]) -> float:
    top = max(scores, default=-math.inf)
    return top if top == -math.inf else top + math.log(math.fsum(math.exp(s - top) for s in scores))


@given(scored_forests(forbidden=True))
def test_inside_sums_the_derivations_of_each_node(scored):
    forest, scores = scored
    beta = inside(forest, scores)
    for node in range(forest.node_count):
        expected = log_sum([total(d, scores) for d in derivations(forest, node)])
        assert beta[node] == pytest.approx(expected, abs=1e-9)
    assert log_partition(forest, scores) == beta[-1]


@given(scored_forests())
def test_outside_is_the_derivative_of_inside(scored):
    # Z is a polynomial in the weight of an extra edge of no tails into a node, which adds to its beta.
    forest, scores = scored
    alpha, top, step = outside(forest, scores), log_partition(forest, scores), 1e-6
    for node in range(forest.node_count):
        edges = [[forest.edge(e) for e in forest.edges(v)] for v in range(forest.node_count)]
        position = forest.edges(node)[-1] + 1
        edges[node].append(Edge((), (), {}))
        more = build_forest(edges)
        changed = [
            log_partition(more, np.insert(scores, position, math.log(step) + scale))
            for scale in (0, math.log(2))
        ]
        # (-3 f(0) + 4 f(h) - f(2h)) / 2h, of the second order.
        slope = (-3 + 4 * math.exp(changed[0] - top) - math.exp(changed[1] - top)) / (2 * step)
        assert slope == pytest.approx(math.exp(alpha[node] - top), rel=1e-3, abs=1e-6)


@given(scored_forests(forbidden=True))
def test_posteriors_say_how_often_edges_and_nodes_are_used(scored):
    forest, scores = scored
    everything = brute_force(forest, scores)
    if not everything:
        with pytest.raises(InputError, match="forbid every"):
            posteriors(forest, scores)
        return
    found = posteriors(forest, scores)
    edges = np.zeros(forest.edge_count)
    for score, derivation in everything:
        np.add.at(edges, list(derivation), math.exp(score - found.log_partition))
    nodes = [edges[list(forest.edges(node))].sum() for node in range(forest.node_count)]
    assert found.edges == pytest.approx(edges, abs=1e-9)
    assert found.nodes == pytest.approx(np.array(nodes), abs=1e-9)
    assert found.nodes[-1] == pytest.approx(1.0)


@given(scored_forests(forbidden=True))
def test_max_marginals_are_the_best_scores_that_use_an_edge(scored):
    forest, scores = scored
    best = np.full(forest.edge_count, -np.inf)
    for score, derivation in brute_force(forest, scores):
        best[list(derivation)] = np.maximum(best[list(derivation)], score)
    assert max_marginals(forest, scores) == pytest.approx(best, abs=1e-9)


def test_an_empty_forest_has_sums_of_nothing():
    forest, scores = build_forest([]), np.zeros(0)
    assert log_partition(forest, scores) == -math.inf
    assert len(inside(forest, scores)) == len(outside(forest, scores)) == 0
    assert len(posteriors(forest, scores).edges) == len(max_marginals(forest, scores)) == 0


def test_large_scores_do_not_overflow():
    forest = build_forest([[Edge((), ("a",), {}), Edge((), ("b",), {})], [Edge((0,), (-1,), {})]])
    scores = np.array([5000.0, 5000.0, -90000.0])
    assert log_partition(forest, scores) == pytest.approx(-85000 + math.log(2))
    assert posteriors(forest, scores).edges.tolist() == pytest.approx([0.5, 0.5, 1.0])
