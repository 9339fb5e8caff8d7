"""What every registered objective must hold."""

from __future__ import annotations

import pickle
from functools import cache

import numpy as np
import pytest
from tests.random_pools import pool_of, scored_pool
from tests.toy_metrics import ErrorRate, Mean, Product

from tunesmith.candidates.pool import Pool
from tunesmith.metrics.base import Metric
from tunesmith.objectives import OBJECTIVES, Objective, SmoothObjective
from tunesmith.types import FloatArray

NAMES = [name for name, kind in OBJECTIVES.items() if kind.learns_from is Pool]
SMOOTH = [name for name in NAMES if issubclass(OBJECTIVES[name], SmoothObjective)]
METRICS = [Mean(), Product(), ErrorRate()]


def build(
    name: str, pool: Pool, metric: Metric | None = None, *, seed: int = 1, threads: int = 1
) -> Objective:
    return OBJECTIVES[name].build(pool, metric or Mean(), seed=seed, threads=threads)


def smooth(name: str, pool: Pool, metric: Metric | None = None, *, threads: int = 1) -> SmoothObjective:
    objective = build(name, pool, metric, threads=threads)
    assert isinstance(objective, SmoothObjective)
    return objective


def finite_differences(objective: Objective, weights: FloatArray, step: float = 1e-5) -> FloatArray:
    slopes = np.empty_like(weights)
    for index in range(len(weights)):
        shift = np.zeros_like(weights)
        shift[index] = step
        slopes[index] = (objective.loss(weights + shift) - objective.loss(weights - shift)) / (2 * step)
    return slopes


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
@pytest.mark.parametrize("name", SMOOTH)
def test_the_gradient_is_the_limit_of_differences(name: str, metric: Metric) -> None:
    for seed in range(5):
        pool = scored_pool(seed)
        objective = smooth(name, pool, metric)
        weights = np.random.default_rng(seed).standard_normal(pool.features.width)
        _, gradient = objective.loss_and_gradient(weights)
        error = np.abs(gradient - finite_differences(objective, weights)).max()
        assert error < 1e-6 * np.abs(gradient).max()


@pytest.mark.parametrize("name", SMOOTH)
def test_the_loss_alone_is_the_loss_with_the_gradient(name: str) -> None:
    pool = scored_pool(3)
    objective = smooth(name, pool)
    weights = np.linspace(-1, 1, pool.features.width)
    assert objective.loss(weights) == objective.loss_and_gradient(weights)[0]


@cache
def large_pool() -> Pool:
    return scored_pool(5, lists=3000, most=30, dense=8)  # enough work for several threads to share


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_number_of_threads_does_not_change_a_bit(name: str) -> None:
    pool = large_pool()
    weights = np.random.default_rng(5).standard_normal(pool.features.width)
    single = build(name, pool, threads=1)
    for threads in (2, 3, 8):
        several = build(name, pool, threads=threads)
        assert several.loss(weights) == single.loss(weights)
        if isinstance(several, SmoothObjective) and isinstance(single, SmoothObjective):
            gradients = several.loss_and_gradient(weights)[1], single.loss_and_gradient(weights)[1]
            assert np.array_equal(*gradients)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_builds_the_same_objective(name: str) -> None:
    pool = scored_pool(6)
    weights = np.linspace(1, -1, pool.features.width)
    assert build(name, pool, seed=7).loss(weights) == build(name, pool, seed=7).loss(weights)


@pytest.mark.parametrize("name", NAMES)
def test_a_pickled_objective_is_the_same(name: str) -> None:
    pool = scored_pool(7)
    weights = np.linspace(1, -1, pool.features.width)
    objective = build(name, pool)
    assert pickle.loads(pickle.dumps(objective)).loss(weights) == objective.loss(weights)


@pytest.mark.parametrize("name", SMOOTH)
def test_lists_of_one_candidate_teach_nothing(name: str) -> None:
    pool = pool_of([1, 1, 1], np.arange(6.0).reshape(3, 2), np.array([0.2, 0.9, 0.5]), keep_zeros=True)
    loss, gradient = smooth(name, pool).loss_and_gradient(np.array([3.0, -2.0]))
    assert np.isfinite(loss)
    assert np.abs(gradient).max() < 1e-12


@pytest.mark.parametrize("name", NAMES)
def test_candidates_of_equal_quality_do_not_break_the_loss(name: str) -> None:
    matrix = np.random.default_rng(8).standard_normal((6, 3))
    objective = build(name, pool_of([3, 3], matrix, np.full(6, 0.4)))
    for weights in (np.zeros(3), np.array([2.0, -1.0, 0.5])):
        assert np.isfinite(objective.loss(weights))
        if isinstance(objective, SmoothObjective):
            assert np.isfinite(objective.loss_and_gradient(weights)[1]).all()


@pytest.mark.parametrize("name", SMOOTH)
@pytest.mark.parametrize("size", [1e3, 1e8])
def test_scores_far_apart_neither_overflow_nor_vanish(name: str, size: float) -> None:
    pool = scored_pool(9)
    weights = size * np.random.default_rng(9).standard_normal(pool.features.width)
    for sign in (1.0, -1.0):
        loss, gradient = smooth(name, pool).loss_and_gradient(sign * weights)
        assert np.isfinite(loss)
        assert np.isfinite(gradient).all()


@pytest.mark.parametrize("name", SMOOTH)
def test_candidates_without_features_are_candidates(name: str) -> None:
    matrix = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 0.0], [0.0, 2.0]])
    loss, gradient = smooth(name, pool_of([2, 2], matrix, np.array([0.9, 0.1, 0.2, 0.8]))).loss_and_gradient(
        np.zeros(2)
    )
    assert np.isfinite(loss)
    assert gradient[0] > 0 > gradient[1]
