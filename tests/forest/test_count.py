"""How many derivations there are."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from tests.forest.strategies import derivations, forests

from tunesmith.forest import Edge, Forest, build_forest, count_derivations, log_count_derivations


@given(forests())
def test_it_is_the_number_of_enumerated_ones(forest: Forest):
    assert count_derivations(forest) == len(derivations(forest))
    assert log_count_derivations(forest) == pytest.approx(math.log(len(derivations(forest))))


def test_the_log_does_not_overflow():
    two = [Edge((), ("a",), {}), Edge((), ("b",), {})]
    forest = build_forest([two, *([Edge((n, n), (-1, -2), {})] for n in range(20))])
    assert count_derivations(forest) == math.inf
    assert log_count_derivations(forest) == pytest.approx(2**20 * math.log(2))


def test_an_empty_forest_has_none():
    assert count_derivations(build_forest([])) == 0
    assert log_count_derivations(build_forest([])) == -math.inf
