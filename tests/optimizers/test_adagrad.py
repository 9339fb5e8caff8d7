from __future__ import annotations

import numpy as np
import pytest
from scipy.special import softmax
from tests.random_pools import lists_of, pool_of, scored_pool
from tests.toy_metrics import Mean

from tunesmith.errors import InputError, OptionError
from tunesmith.objectives.base import Visits
from tunesmith.objectives.expected_metric import ExpectedMetric
from tunesmith.objectives.plackett_luce import PlackettLuce
from tunesmith.optimizers.adagrad import Adagrad
from tunesmith.optimizers.space import Space


@pytest.mark.parametrize(("l1", "l2"), [(0.0, 0.0), (0.02, 0.0), (0.0, 0.5), (0.02, 0.3)])
@pytest.mark.parametrize("sparse", [4, 150])
def test_lazy_steps_end_where_plain_ones_do(l1: float, l2: float, sparse: int) -> None:
    pool = scored_pool(81, lists=40, most=4, sparse=sparse)
    random = np.random.default_rng(1)
    start = random.standard_normal(pool.features.width)
    start[0] = 0.3
    space = Space.build(
        pool.feature_names, start=start, bounds={"f0": (0.1, 0.6)}, frozen=["f1"], l1=l1, l2=l2
    )
    squares = random.random(pool.features.width) * (random.random(pool.features.width) < 0.5)
    visits = Visits(random.permutation(40), 1, np.full(40, 0.3))

    rows, quality = pool.features.to_dense(), pool.scores["quality"]
    weights, sums = start.copy(), squares.copy()
    for index in visits.order:
        one = lists_of(pool)[index]
        p = softmax(rows[one] @ weights)
        gradient = -(p * (quality[one] - p @ quality[one])) @ rows[one]
        sums = sums + np.where(space.free, gradient, 0.0) ** 2
        rate = np.divide(0.3, np.sqrt(sums), out=np.zeros_like(sums), where=sums > 0)
        moved = weights - rate * gradient
        weights = space.project(
            np.copysign(np.maximum(np.abs(moved) - rate * l1, 0) / (1 + rate * l2), moved)
        )

    ours, squared, _ = ExpectedMetric.build(pool, Mean()).descend(start, squares, visits, space)
    assert ours == pytest.approx(weights, rel=1e-9, abs=1e-12)
    assert squared == pytest.approx(sums, rel=1e-9)


def test_the_scale_of_a_feature_does_not_matter() -> None:
    matrix = np.random.default_rng(2).standard_normal((60, 4))
    quality = np.random.default_rng(3).random(60)
    scales = np.array([1.0, 1000.0, 0.001, 7.0])
    ends = []
    for factor in (np.ones(4), scales):
        pool = pool_of([6] * 10, matrix * factor, quality)
        space = Space.build(pool.feature_names)
        objective = PlackettLuce.build(pool, Mean())
        # The gradient's scale cancels in the step, the feature's own in the weight.
        visits = Visits(np.array([0]), 1, np.array([0.1]))
        weights, _, _ = objective.descend(space.start, np.zeros(4), visits, space)
        ends.append(weights)
    assert ends[0] == pytest.approx(ends[1], rel=1e-9)


def test_the_squared_gradients_are_remembered_between_epochs() -> None:
    pool = scored_pool(82, lists=30)
    objective = PlackettLuce.build(pool, Mean())
    space = Space.build(pool.feature_names)
    optimizer = Adagrad(tolerance=0.0)
    first = optimizer.step(objective, space, optimizer.start(objective, space), lambda loss, w: None)
    second = optimizer.step(objective, space, first, lambda loss, w: None)
    assert (first.memory["squares"] > 0).all()
    assert (second.memory["squares"] > first.memory["squares"]).all()
    assert second.loss < first.loss


def test_squares_of_another_width_are_refused() -> None:
    pool = scored_pool(83)
    space = Space.build(pool.feature_names)
    visits = Visits(np.arange(len(pool)), 1, np.ones(len(pool)))
    with pytest.raises(InputError, match="3 squared gradients for"):
        ExpectedMetric.build(pool, Mean()).descend(space.start, np.ones(3), visits, space)


@pytest.mark.parametrize("option", [{"rate": 0.0}, {"epochs": 0}, {"batch": 0}, {"tolerance": -1.0}])
def test_senseless_options_are_refused(option: dict[str, float]) -> None:
    with pytest.raises(OptionError, match=next(iter(option))):
        Adagrad(**option)  # type: ignore[arg-type]
