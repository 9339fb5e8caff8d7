"""What every registered objective over forests must hold."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from tests.toy_forests import random_forest_pool

from tunesmith.errors import OptionError
from tunesmith.forest import viterbi
from tunesmith.forest.pool import ForestPool
from tunesmith.metrics import get_metric
from tunesmith.metrics.base import Metric, Segments
from tunesmith.metrics.bleu import Bleu
from tunesmith.metrics.precision import Precision
from tunesmith.objectives.base import OBJECTIVES, Objective, SmoothObjective
from tunesmith.types import FloatArray

NAMES = [name for name, kind in OBJECTIVES.items() if kind.learns_from is ForestPool]
SMOOTH = [name for name in NAMES if issubclass(OBJECTIVES[name], SmoothObjective)]
METRICS: list[Metric] = [Bleu(order=2), Precision(order=2)]


def build(
    name: str, pool: ForestPool, metric: Metric | None = None, *, seed: int = 1, threads: int = 1
) -> Objective:
    return OBJECTIVES[name].build(pool, metric or Bleu(order=2), seed=seed, threads=threads)


def smooth(name: str, pool: ForestPool, metric: Metric | None = None) -> SmoothObjective:
    objective = build(name, pool, metric)
    assert isinstance(objective, SmoothObjective)
    return objective


def weights_of(pool: ForestPool, seed: int) -> FloatArray:
    return np.random.default_rng(seed).standard_normal(len(pool.feature_names))


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
@pytest.mark.parametrize("name", SMOOTH)
def test_the_gradient_is_the_limit_of_differences(name: str, metric: Metric) -> None:
    for seed in range(5):
        pool = random_forest_pool(seed, references=1 + seed % 2)
        objective, weights = smooth(name, pool, metric), weights_of(pool, seed)
        _, gradient = objective.loss_and_gradient(weights)
        for index, slope in enumerate(gradient):
            shift = np.zeros_like(weights)
            shift[index] = 1e-5
            difference = (objective.loss(weights + shift) - objective.loss(weights - shift)) / 2e-5
            assert abs(slope - difference) < 1e-6 * np.linalg.norm(gradient)


@pytest.mark.parametrize("name", SMOOTH)
def test_the_loss_alone_is_the_loss_with_the_gradient(name: str) -> None:
    pool = random_forest_pool(3)
    objective, weights = smooth(name, pool), weights_of(pool, 3)
    assert objective.loss(weights) == pytest.approx(objective.loss_and_gradient(weights)[0], rel=1e-13)


@pytest.mark.parametrize("name", NAMES)
def test_the_number_of_threads_does_not_change_a_bit(name: str) -> None:
    pool = random_forest_pool(5, sentences=90)
    weights = weights_of(pool, 5)
    single = build(name, pool)
    for threads in (2, 3, 8):
        several = build(name, pool, threads=threads)
        assert several.loss(weights) == single.loss(weights)
        if isinstance(several, SmoothObjective) and isinstance(single, SmoothObjective):
            gradients = several.loss_and_gradient(weights)[1], single.loss_and_gradient(weights)[1]
            assert np.array_equal(*gradients)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_builds_the_same_objective(name: str) -> None:
    pool = random_forest_pool(6)
    weights = weights_of(pool, 6)
    assert build(name, pool, seed=7).loss(weights) == build(name, pool, seed=7).loss(weights)


@pytest.mark.parametrize("name", NAMES)
def test_an_objective_survives_pickling(name: str) -> None:
    pool = random_forest_pool(7)
    objective, weights = build(name, pool), weights_of(pool, 7)
    again = pickle.loads(pickle.dumps(objective))
    assert again.loss(weights) == objective.loss(weights)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("spec", ["ter", "bleu(lowercase=True)", 'bleu(tokenize="13a")'])
def test_a_metric_is_measured_as_it_is_or_refused(name: str, spec: str) -> None:
    """Forests have words as they are; an objective that cannot do what a metric says must not pretend to."""
    metric, pool = get_metric(spec), random_forest_pool(8)
    weights = weights_of(pool, 8)
    try:
        found = build(name, pool, metric).loss(weights)
    except OptionError as error:
        assert metric.name in str(error)
        return
    texts = [viterbi(forest, pool.scores(forest, weights)).text for forest in pool.forests]
    total = metric.measure(Segments.of(texts, pool.references)).sum(axis=0)
    assert found == pytest.approx(-float(metric.gain(total)))
