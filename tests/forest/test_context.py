"""Boundary words: forests that are split until n-grams are local to edges."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.forest.enumeration import listed
from tests.forest.large_forests import chain
from tests.forest.rolled_forests import forests, scores

from tunesmith.errors import InputError, OptionError
from tunesmith.forest import Edge, Forest, build_forest, expand_context, has_local_context, refine_context


def two_choices() -> Forest:
    return build_forest([[Edge((), ("a",), {}), Edge((), ("b",), {})], [Edge((0, 0), (-2, "x", -1), {})]])


@given(forests(), st.integers(1, 5))
def test_an_expanded_forest_has_the_same_derivations(forest: Forest, n: int) -> None:
    refined = refine_context(forest, n)
    found = Counter(
        (tuple(refined.origins[list(one.edges)].tolist()), one.words) for one in listed(refined.forest)
    )
    assert found == Counter((one.edges, one.words) for one in listed(forest))
    assert scores(refined.forest).tolist() == scores(forest)[refined.origins].tolist()
    assert has_local_context(refined.forest, n)


@given(forests(), st.integers(2, 4))
def test_a_local_forest_has_one_context_at_each_end_that_meets_words(forest: Forest, n: int) -> None:
    expanded = expand_context(forest, n)
    ends: dict[tuple[int, str], set[tuple[str, ...]]] = {}
    spelt = [expanded.edge(i) for i in range(expanded.edge_count)]
    yields = [[one.words for one in listed(expanded, node)] for node in range(expanded.node_count)]
    reached = {edge for one in listed(expanded) for edge in one.edges}
    for edge in sorted(reached):
        for at, symbol in enumerate(spelt[edge].target):
            if isinstance(symbol, int):
                tail = spelt[edge].tails[-1 - symbol]
                if at > 0:
                    ends.setdefault((tail, "left"), set()).update(w[: n - 1] for w in yields[tail])
                if at + 1 < len(spelt[edge].target):
                    ends.setdefault((tail, "right"), set()).update(w[-(n - 1) :] for w in yields[tail])
    assert all(len(found) == 1 for found in ends.values())


def test_edges_are_copied_for_each_combination_of_contexts() -> None:
    expanded = expand_context(two_choices(), 2)
    assert (expanded.node_count, expanded.edge_count) == (3, 6)
    assert [expanded.edge(e).tails for e in expanded.edges(2)] == [(0, 0), (0, 1), (1, 0), (1, 1)]


@given(forests(), st.integers(2, 4))
def test_a_refined_forest_has_the_rules_of_its_edges_and_no_others(forest: Forest, n: int) -> None:
    refined = refine_context(forest, n)
    copied = np.unique(forest.native.edge_rules[refined.origins])
    assert np.unique(refined.forest.native.edge_rules).size == copied.size
    if refined.forest is not forest:
        assert refined.forest.native.rule_ids.tolist() == forest.native.rule_ids[copied].tolist()
        assert refined.forest.native.rule_count == copied.size


def test_a_local_forest_is_returned_as_it_is() -> None:
    forest = two_choices()
    assert expand_context(forest, 1) is forest
    expanded = expand_context(forest, 3)
    assert expand_context(expanded, 3) is expanded


def test_a_lattice_is_split_by_the_words_at_the_right_only() -> None:
    lattice = build_forest(
        [
            [Edge((), ("a", "x"), {}), Edge((), ("b", "x"), {})],
            [Edge((0,), (-1, "y"), {}), Edge((0,), (-1, "z"), {})],
            [Edge((1,), (-1, "end"), {})],
        ]
    )
    assert expand_context(lattice, 2).node_count == 4  # only the middle node is split: y, z
    assert expand_context(lattice, 3).node_count == 5  # a x, b x; x y, x z; the root


def test_rules_spans_links_and_features_stay() -> None:
    edge = Edge((), ("a",), {"f": 1.5}, (2, 3), ("quelle",), ((0, 0),), 7)
    forest = build_forest([[edge, Edge((), ("b",), {})], [Edge((0,), ("x", -1), {})]])
    refined = refine_context(forest, 2)
    assert [refined.forest.edge(i) for i in range(2)] == [forest.edge(i) for i in (0, 1)]
    assert refined.forest.native.rule_count == forest.native.rule_count
    assert list(refined.forest.words) == list(forest.words)


def test_nodes_that_no_derivation_uses_are_left_out() -> None:
    forest = build_forest(
        [
            [Edge((), ("a",), {}), Edge((), ("b",), {})],
            [Edge((0,), (-1, "c"), {})],
            [Edge((0,), (-1, "d"), {})],
        ]
    )
    expanded = expand_context(forest, 2)
    assert [one.words for one in listed(expanded)] == [("a", "d"), ("b", "d")]
    assert expanded.node_count == 3


def test_a_forest_without_nodes_stays_empty() -> None:
    assert expand_context(build_forest([]), 3).node_count == 0


def test_growth_is_bounded() -> None:
    words = [Edge((), (f"w{i}",), {}) for i in range(20)]
    forest = build_forest([words, [Edge((0, 0, 0), (-1, -2, -3), {})], [Edge((1,), ("x", -1, "y"), {})]])
    with pytest.raises(InputError, match="more than 100 nodes; prune the forest or raise max_nodes"):
        expand_context(forest, 2, max_nodes=100)
    with pytest.raises(InputError, match="more than 1000 edges; prune the forest or raise max_edges"):
        expand_context(forest, 2, max_edges=1000)
    assert expand_context(forest, 2).edge_count == 20 + 8000 + 400


@pytest.mark.parametrize("n", [0, -1, 17])
def test_orders_that_nobody_means_are_refused(n: int) -> None:
    with pytest.raises(OptionError, match="1 to 16"):
        expand_context(two_choices(), n)
    with pytest.raises(OptionError, match="at least 1"):
        expand_context(two_choices(), 2, max_nodes=0)


@pytest.mark.slow
def test_deep_forests_need_no_recursion() -> None:
    depth = 100_000
    forest = chain(depth)
    assert has_local_context(forest, 1)
    expanded = expand_context(forest, 4)
    assert expanded.node_count == depth + 1


@pytest.mark.slow
def test_a_large_lattice_takes_seconds() -> None:
    generator = np.random.default_rng(1)
    words = [f"w{i}" for i in range(500)]
    nodes = [[Edge((), (words[0],), {})]]
    for node in range(1, 10_000):
        tails = generator.integers(max(0, node - 20), node, 10)
        ends = generator.integers(0, 500, 10)
        nodes.append([Edge((int(t),), (-1, words[w]), {}) for t, w in zip(tails, ends, strict=True)])
    assert expand_context(build_forest(nodes), 2).edge_count > 100_000
