"""Expectations and their gradients."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.forest.enumeration import brute_force
from tests.forest.strategies import FEATURES, forests, quarter, scored_forests

from tunesmith.errors import InputError
from tunesmith.forest import (
    Derivation,
    Edge,
    build_forest,
    entropy,
    expectation,
    expected_features,
    expected_statistics,
    log_partition,
)


@st.composite
def valued_forests(draw: st.DrawFn):
    """A forest, scores, some of them forbidden, and a value for each edge."""
    forest, scores = draw(scored_forests(forbidden=True))
    assume(brute_force(forest, scores))
    values = draw(st.lists(quarter, min_size=forest.edge_count, max_size=forest.edge_count))
    return forest, scores, np.array(values)


def probabilities(forest, scores) -> list[tuple[float, tuple[int, ...]]]:
    top = log_partition(forest, scores)
    return [(math.exp(score - top), derivation) for score, derivation in brute_force(forest, scores)]


@given(valued_forests())
def test_means_variances_and_covariances_are_those_of_all_derivations(valued):
    forest, scores, values = valued
    found = expectation(forest, scores, values)
    everything = probabilities(forest, scores)
    uses = np.array([np.bincount(list(d), minlength=forest.edge_count) for _, d in everything], dtype=float)
    weight = np.array([p for p, _ in everything])
    r = uses @ values
    mean, posteriors = weight @ r, weight @ uses
    assert found.log_partition == pytest.approx(log_partition(forest, scores), abs=1e-9)
    assert found.mean == pytest.approx(mean, abs=1e-9)
    assert found.variance == pytest.approx(weight @ (r - mean) ** 2, abs=1e-8)
    assert found.posteriors == pytest.approx(posteriors, abs=1e-9)
    assert found.covariances == pytest.approx((weight * (r - mean)) @ uses, abs=1e-8)


@given(forests(), st.data())
def test_the_gradient_is_that_of_finite_differences(forest, data: st.DataObject):
    weights = data.draw(st.fixed_dictionaries(dict.fromkeys(FEATURES, st.floats(-1, 1))))
    values = data.draw(st.lists(quarter, min_size=forest.edge_count, max_size=forest.edge_count))
    gradient = expectation(forest, weights, values).gradient
    for column, name in enumerate(forest.feature_names):
        step = 1e-5
        means = [expectation(forest, weights | {name: weights[name] + h}, values).mean for h in (step, -step)]
        slope = (means[0] - means[1]) / (2 * step)
        assert gradient[column] == pytest.approx(slope, rel=1e-4, abs=1e-4)


@given(forests(), st.data())
def test_expected_features_are_the_gradient_of_log_partition(forest, data: st.DataObject):
    weights = data.draw(st.fixed_dictionaries(dict.fromkeys(FEATURES, quarter)))
    found = dict(zip(forest.feature_names, expected_features(forest, weights), strict=True))
    expected = dict.fromkeys(forest.feature_names, 0.0)
    for probability, edges in probabilities(forest, forest.scores(weights)):
        for name, value in Derivation(forest, edges, 0.0).features.items():
            expected[name] += probability * value
    assert found == pytest.approx(expected, abs=1e-8)
    for name in forest.feature_names:
        step = 1e-5
        up, down = (log_partition(forest, weights | {name: weights[name] + h}) for h in (step, -step))
        assert found[name] == pytest.approx((up - down) / (2 * step), rel=1e-4, abs=1e-4)


@given(valued_forests(), st.integers(0, 4))
def test_expected_statistics_are_means_column_by_column(valued, width: int):
    forest, scores, values = valued
    matrix = np.outer(values, np.arange(1.0, width + 1))
    means = [expectation(forest, scores, matrix[:, k].copy()).mean for k in range(width)]
    assert expected_statistics(forest, scores, matrix) == pytest.approx(np.array(means), abs=1e-8)


@given(scored_forests(forbidden=True))
def test_entropy_is_that_of_all_derivations(scored):
    forest, scores = scored
    assume(brute_force(forest, scores))
    expected = -sum(p * math.log(p) for p, _ in probabilities(forest, scores) if p > 0)
    assert entropy(forest, scores) == pytest.approx(expected, abs=1e-8)


def test_what_cannot_be_expected_is_refused():
    forest, empty = build_forest([[Edge((), ("a",), {})]]), build_forest([])
    with pytest.raises(InputError, match="empty"):
        expectation(empty, np.zeros(0), [])
    with pytest.raises(InputError, match="value of edge 0 is not finite"):
        expectation(forest, np.zeros(1), [math.nan])
    with pytest.raises(InputError, match="2 values for 1 edges"):
        expectation(forest, np.zeros(1), [1.0, 2.0])
    with pytest.raises(InputError, match="one row for each of 1 edges"):
        expected_statistics(forest, np.zeros(1), np.zeros((2, 3)))
    assert entropy(empty, np.zeros(0)) == 0.0
    assert len(expected_features(empty, {})) == 0
