"""A pass of batch MIRA against the same pass written plainly in Python."""

import numpy as np
import pytest
from tests.random_pools import random_pool

from tunesmith.metrics.bleu import Bleu
from tunesmith.objectives.hope_fear import HopeFear


def plain_pass(pool, metric, order, c, decay, weights, background):
    """Cherry and Foster's pass, line by line; returns all weight vectors for the average."""
    dense, stats, seen = pool.features.to_dense(), pool.stats(metric), []
    weights, background = weights.copy(), background.copy()
    for index in order:
        rows = range(pool.offsets[index], pool.offsets[index + 1])
        scores = [float(dense[row] @ weights) for row in rows]
        sums = [stats[row] + background for row in rows]
        gains = [float(metric.gain(s)) * s[-1] for s in sums]
        hope = max(range(len(rows)), key=lambda i: scores[i] + gains[i])
        fear = max(range(len(rows)), key=lambda i: scores[i] - gains[i])
        difference = dense[rows[hope]] - dense[rows[fear]]
        loss = gains[hope] - gains[fear] - (scores[hope] - scores[fear])
        if gains[hope] > gains[fear] and loss > 0 and difference.any():
            weights = weights + min(c, loss / (difference @ difference)) * difference
        background = decay * background + stats[rows[hope]]
        seen.append(weights)
    return weights, np.mean(seen, axis=0), background


@pytest.mark.parametrize("seed", range(10))
def test_a_pass_equals_the_plain_one(seed: int) -> None:
    pool, metric = random_pool(seed, lists=30), Bleu()
    objective = HopeFear.build(pool, metric, decay=0.9)
    width = pool.features.width
    free = np.full(width, np.inf)
    at = objective.begin(np.zeros(width))
    weights, background = np.zeros(width), np.ones(metric.width)
    for c in (0.01, 1.0):
        order = np.random.default_rng(seed).permutation(len(pool))
        weights, average, background = plain_pass(pool, metric, order, c, 0.9, weights, background)
        before = at
        at = objective.learn(order, c, -free, free, at)
        np.testing.assert_allclose(at.weights, weights, atol=1e-10)
        np.testing.assert_allclose(at.background, background, atol=1e-10)
        if before.steps == 0:
            np.testing.assert_allclose(at.average, average, atol=1e-10)


def test_weights_stay_inside_their_box() -> None:
    pool = random_pool(2, lists=30)
    objective = HopeFear.build(pool, Bleu())
    lower, upper = np.full(pool.features.width, -0.01), np.full(pool.features.width, 0.02)
    at = objective.learn(
        np.arange(len(pool)), 10.0, lower, upper, objective.begin(np.zeros(pool.features.width))
    )
    assert at.updates > 0
    assert (at.weights >= lower).all() and (at.weights <= upper).all()
    assert (at.weights == upper).any()
