from __future__ import annotations

import numpy as np
import pytest
from scipy.special import softmax
from tests.random_pools import lists_of, pool_of, scored_pool
from tests.toy_metrics import Mean

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.objectives.best_likelihood import BestLikelihood


def test_all_candidates_of_the_best_quality_share_their_probability() -> None:
    pool = scored_pool(41, lists=30)
    weights = np.random.default_rng(1).standard_normal(pool.features.width)
    scores, quality = pool.features.dot(weights), pool.scores["quality"]
    expected, ties = 0.0, 0
    for rows in lists_of(pool):
        best = quality[rows] == quality[rows].max()
        expected -= np.log(softmax(scores[rows])[best].sum())
        ties += best.sum() > 1
    assert ties > 3
    assert BestLikelihood.build(pool, Mean()).loss(weights) == pytest.approx(expected / 30, rel=1e-12)


def test_a_list_of_equals_costs_nothing() -> None:
    pool = pool_of([3], np.random.default_rng(1).standard_normal((3, 2)), np.full(3, 0.5))
    loss, gradient = BestLikelihood.build(pool, Mean()).loss_and_gradient(np.array([5.0, -3.0]))
    assert loss == pytest.approx(0.0, abs=1e-12)
    assert gradient == pytest.approx(np.zeros(2), abs=1e-12)


def test_the_best_may_be_hopeless_without_the_loss_becoming_infinite() -> None:
    pool = pool_of([2], np.array([[0.0], [1.0]]), np.array([0.9, 0.1]), keep_zeros=True)
    loss, gradient = BestLikelihood.build(pool, Mean()).loss_and_gradient(np.array([5000.0]))
    assert loss == pytest.approx(5000.0)
    assert gradient == pytest.approx([1.0])


def test_a_gain_for_each_candidate_is_needed() -> None:
    pool = scored_pool(1)
    rows = pool.features
    arrays = (pool.offsets, rows.offsets, rows.columns, rows.values, np.zeros(rows.width))
    with pytest.raises(InputError, match="3 gains for"):
        _native.list_loss(_native.best_likelihood(np.zeros(3)), *arrays, 1)
