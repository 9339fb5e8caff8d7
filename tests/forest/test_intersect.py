"""Forced decoding on a forest."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.forest.enumeration import listed
from tests.forest.large_forests import chain
from tests.forest.rolled_forests import WORDS, forests, scores

from tunesmith.errors import InputError
from tunesmith.forest import Edge, Forest, build_forest, intersect, refine_to_target


def check(forest: Forest, target: tuple[str, ...], *, prefix: bool) -> None:
    refined = refine_to_target(forest, target, prefix=prefix)
    found = Counter(
        (tuple(refined.origins[list(one.edges)].tolist()), one.words) for one in listed(refined.forest)
    )
    wanted = Counter(
        (one.edges, one.words)
        for one in listed(forest)
        if (one.words[: len(target)] if prefix else one.words) == target
    )
    assert found == wanted
    assert scores(refined.forest).tolist() == scores(forest)[refined.origins].tolist()
    assert refined.forest.native.rule_count == np.unique(forest.native.edge_rules[refined.origins]).size


@given(forests(), st.data(), st.booleans())
def test_the_derivations_of_a_yield_are_kept_and_no_others(
    forest: Forest, data: st.DataObject, prefix: bool
) -> None:
    words = data.draw(st.sampled_from([one.words for one in listed(forest)]))
    check(forest, words[: data.draw(st.integers(0, len(words)))] if prefix else words, prefix=prefix)


@given(forests(), st.lists(st.sampled_from([*WORDS, "unknown"]), max_size=5), st.booleans())
def test_any_target_keeps_what_yields_it(forest: Forest, words: list[str], prefix: bool) -> None:
    check(forest, tuple(words), prefix=prefix)


@given(forests())
def test_every_yield_begins_with_nothing(forest: Forest) -> None:
    check(forest, (), prefix=True)
    check(forest, (), prefix=False)


def test_what_no_derivation_yields_leaves_an_empty_forest() -> None:
    forest = build_forest([[Edge((), ("a", "b"), {})]])
    assert intersect(forest, ["a"]).node_count == 0
    assert intersect(forest, ["a"], prefix=True).node_count == 1
    assert intersect(forest, ["a", "b", "c"], prefix=True).node_count == 0
    assert intersect(forest, ["b"], prefix=True).node_count == 0
    assert intersect(build_forest([]), []).node_count == 0


def test_a_text_is_not_a_list_of_words() -> None:
    with pytest.raises(InputError, match="expected a list of words"):
        intersect(build_forest([]), "a b")


@pytest.mark.slow
def test_long_chains_take_no_more_than_a_position_each() -> None:
    depth = 100_000
    right = chain(depth, "b")
    assert intersect(right, ["b"] * (depth + 1), max_nodes=depth + 1).node_count == depth + 1
    assert intersect(right, ["b"] * 10, prefix=True).node_count == depth + 1


def test_growth_is_bounded() -> None:
    nodes = [[Edge((), ("b",), {})]] + [[Edge((i, i), (-1, -2), {})] for i in range(6)]
    forest = build_forest([*nodes, [Edge((), ("b",), {}), Edge((6, 6), (-1, -2), {})]])
    assert intersect(forest, ["b"] * 128).node_count == 2 * 128 - 1
    with pytest.raises(InputError, match="more than 100 nodes"):
        intersect(forest, ["b"] * 128, max_nodes=100)
