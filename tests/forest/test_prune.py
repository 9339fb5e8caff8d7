"""Smaller forests."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.forest.enumeration import brute_force, derivations
from tests.forest.strategies import forests, scored_forests

from tunesmith.errors import InputError, OptionError
from tunesmith.forest import (
    Edge,
    Forest,
    build_forest,
    kept_edges,
    max_marginals,
    posteriors,
    prune,
    trim,
    viterbi,
)


def spelt(forest: Forest, edges: tuple[int, ...]) -> list[Edge]:
    """A derivation without the numbers of nodes, which trimming changes."""
    rows = [forest.edge(number) for number in edges]
    return [replace(edge, tails=(0,) * len(edge.tails)) for edge in rows]


@given(forests())
def test_trimming_keeps_all_derivations_and_drops_what_the_root_does_not_use(forest: Forest):
    trimmed = trim(forest)
    before, after = derivations(forest), derivations(trimmed)
    assert [spelt(trimmed, d) for d in after] == [spelt(forest, d) for d in before]
    assert {edge for d in after for edge in d} == set(range(trimmed.edge_count))
    assert trimmed.native.rule_count == len(set(trimmed.native.edge_rules.tolist()))


@given(forests(), st.data())
def test_trimming_keeps_the_derivations_of_kept_edges(forest: Forest, data: st.DataObject):
    size = forest.edge_count
    keep = np.array(data.draw(st.lists(st.booleans(), min_size=size, max_size=size)))
    left = [d for d in derivations(forest) if keep[list(d)].all()]
    trimmed = trim(forest, keep)
    assert [spelt(trimmed, d) for d in derivations(trimmed)] == [spelt(forest, d) for d in left]
    assert trimmed.edge_count == len({edge for d in left for edge in d})


@given(scored_forests(forbidden=True), st.integers(0, 20).map(lambda n: n / 4))
def test_a_beam_keeps_the_edges_of_derivations_within_it(scored, beam: float):
    forest, scores = scored
    everything = brute_force(forest, scores)
    assume(everything)
    within = {e for score, d in everything if score >= everything[0][0] - beam for e in d}
    kept = kept_edges(forest, scores, beam=beam)
    assert set(np.flatnonzero(kept).tolist()) == within
    assert trim(forest, kept).edge_count == kept.sum()


@given(scored_forests(forbidden=True), st.floats(0, 1))
def test_a_posterior_keeps_the_edges_that_reach_it_and_the_best_derivation(scored, threshold: float):
    forest, scores = scored
    assume(brute_force(forest, scores))
    found = posteriors(forest, scores).edges
    assume(not np.isclose(found, threshold, atol=1e-9).any())
    passing = (found >= threshold) & (max_marginals(forest, scores) > -np.inf)
    passing[list(viterbi(forest, scores).edges)] = True
    kept = kept_edges(forest, scores, posterior=threshold)
    expected = {e for d in derivations(forest) if passing[list(d)].all() for e in d}
    assert set(np.flatnonzero(kept).tolist()) == expected


def test_a_posterior_is_reached_whatever_rounding_says():
    forest = build_forest([[Edge((), ("a",), {}), Edge((), ("b",), {}), Edge((), ("c",), {})]])
    rounded_down = 0
    for score in np.linspace(-1000.1, 1000.1, 201):
        scores = np.full(3, score)
        rounded_down += int((posteriors(forest, scores).edges < 1 / 3).any())
        assert kept_edges(forest, scores, posterior=1 / 3).all()
        assert kept_edges(forest, scores, posterior=1 / 3 + 1e-5).sum() == 1
    assert rounded_down > 0


@given(scored_forests())
def test_edges_of_all_derivations_have_a_posterior_of_one(scored):
    forest, scores = scored
    kept = kept_edges(forest, scores / 3, posterior=1.0)
    assert kept[[e for e in range(forest.edge_count) if all(e in d for d in derivations(forest))]].all()


@given(scored_forests(), st.integers(1, 8), st.integers(0, 3))
def test_a_density_bounds_the_edges_of_a_word(scored, density: int, words: int):
    forest, scores = scored
    kept = kept_edges(forest, scores, density=density, words=words)
    best = set(viterbi(forest, scores).edges)
    assert best <= set(np.flatnonzero(kept).tolist())
    assert kept.sum() <= max(density * max(words, 1), len(best))
    merits = max_marginals(forest, scores)
    used = np.zeros(forest.edge_count, dtype=bool)
    used[[e for d in derivations(forest) for e in d]] = True
    if (used & ~kept).any() and set(np.flatnonzero(kept).tolist()) > best:
        # What goes is no better than what stays.
        assert merits[used & ~kept].max() <= merits[kept].min() + 1e-9


def test_the_words_of_the_best_derivation_are_the_default_measure():
    leaf = [Edge((), ("a", "b", "c"), {"f": -float(i)}) for i in range(10)]
    forest = build_forest([leaf])
    assert prune(forest, {"f": 1.0}, density=2).edge_count == 6
    assert prune(forest, {"f": 1.0}, density=2, words=2).edge_count == 4
    assert prune(forest, {"f": 1.0}, density=2, words=2, beam=1.5).edge_count == 2
    assert prune(forest, {"f": 1.0}, density=1e308, words=10**9).edge_count == 10
    assert prune(forest, {"f": 1.0}, density=0.1, words=1).edge_count == 1
    assert prune(forest, {"f": 1.0}).edge_count == 10


def test_scores_of_kept_edges_are_those_of_the_pruned_forest():
    forest = build_forest([[Edge((), ("a",), {"f": float(i % 3)}) for i in range(9)]])
    scores = forest.scores({"f": 1.0})
    kept = kept_edges(forest, scores, beam=1.0)
    assert trim(forest, kept).scores({"f": 1.0}).tolist() == scores[kept].tolist()


def test_a_forest_of_no_kept_derivation_is_empty():
    forest = build_forest([[Edge((), ("a",), {})], [Edge((0,), (-1,), {})]])
    assert trim(forest, np.array([False, True])).node_count == 0
    assert trim(build_forest([])).node_count == 0


def test_a_forest_whose_derivations_are_exponentially_long_can_be_pruned():
    doubling = [[Edge((), ("a",), {}), Edge((), ("b",), {"f": -5.0})]]
    doubling += [[Edge((n, n), (-1, -2), {})] for n in range(200)]
    forest = build_forest(doubling)
    assert prune(forest, {"f": 1.0}, beam=5.5).edge_count == 202
    assert prune(forest, {"f": 1.0}, beam=4.5).edge_count == 201
    assert prune(forest, {"f": 1.0}, density=1, words=201).edge_count == 201
    with pytest.raises(InputError, match="more than 16777216 edges"):
        viterbi(forest, {"f": 1.0})


@pytest.mark.parametrize(
    "options",
    [
        {"beam": -1.0},
        {"beam": math.nan},
        {"posterior": 1.5},
        {"density": 0.0},
        {"density": math.inf},
        {"density": 1.0, "words": -1},
    ],
)
def test_senseless_limits_are_refused(options: dict[str, float]):
    with pytest.raises(OptionError, match="must be"):
        prune(build_forest([[Edge((), ("a",), {})]]), np.zeros(1), **options)


def test_marks_must_be_truth_values_one_an_edge():
    forest = build_forest([[Edge((), ("a",), {})]])
    with pytest.raises(InputError, match="one bool per edge"):
        trim(forest, np.array([0]))  # type: ignore[arg-type]
    with pytest.raises(InputError, match="2 marks for 1 edges"):
        trim(forest, np.array([True, True]))
    with pytest.raises(InputError, match="empty"):
        prune(build_forest([]), np.zeros(0), beam=1.0)
