"""One forest of several."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.forest.enumeration import listed
from tests.forest.strategies import forests

from tunesmith.forest import Derivation, Edge, Forest, build_forest, trim, union


def read(forest: Forest) -> list[tuple[str, dict[str, float]]]:
    return [(" ".join(one.words), Derivation(forest, one.edges, 0.0).features) for one in listed(forest)]


@given(st.lists(forests(max_nodes=4), max_size=3))
def test_it_has_the_derivations_of_all(many: list[Forest]):
    assert read(union(many)) == [reading for forest in many for reading in read(forest)]


@given(forests(max_nodes=4))
def test_forests_that_share_names_share_them_still(forest: Forest):
    parts = [forest, trim(forest)]
    assert read(union(parts)) == [reading for part in parts for reading in read(part)]
    assert union(parts).feature_names == forest.feature_names


@given(forests(max_nodes=3), forests(max_nodes=3))
def test_some_may_share_names_and_others_not(one: Forest, other: Forest):
    parts = [one, other, trim(one), other]
    assert read(union(parts)) == [reading for part in parts for reading in read(part)]


def test_names_are_merged_by_name():
    one = build_forest([[Edge((), ("a", "b"), {"lm": 1.0, "tm": 2.0})]])
    two = build_forest([[Edge((), ("c", "a"), {"tm": 3.0})]])
    both = union([one, two])
    assert list(both.words) == ["a", "b", "c"]
    assert both.feature_names == ("lm", "tm")
    assert [both.edge(e) for e in range(2)] == [one.edge(0), two.edge(0)]
    assert both.edge(3) == Edge((1,), (-1,), {})
    assert both.scores({"lm": 1.0, "tm": 10.0}).tolist() == [21.0, 30.0, 0.0, 0.0]


@pytest.mark.parametrize("count", [0, 1, 2])
def test_without_derivations_it_is_empty(count: int):
    assert union(build_forest([]) for _ in range(count)).node_count == 0


def test_an_empty_forest_adds_nothing():
    one = build_forest([[Edge((), ("a",), {"f": 1.0})]])
    assert read(union([build_forest([]), pickle.loads(pickle.dumps(one))])) == read(one)
