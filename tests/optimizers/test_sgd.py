from __future__ import annotations

import numpy as np
import pytest
from scipy.special import softmax
from tests.random_pools import lists_of, scored_pool
from tests.toy_metrics import Mean

from tunesmith.candidates.pool import Pool
from tunesmith.errors import InputError, OptionError
from tunesmith.objectives.base import Visits
from tunesmith.objectives.expected_metric import ExpectedMetric
from tunesmith.objectives.expected_statistics import ExpectedStatistics
from tunesmith.objectives.pairwise import Pairwise
from tunesmith.objectives.plackett_luce import PlackettLuce
from tunesmith.optimizers.lbfgs import Lbfgs
from tunesmith.optimizers.sgd import Sgd
from tunesmith.optimizers.space import Space
from tunesmith.types import FloatArray, IntArray

NOTHING = np.zeros(0)


def risk_gradient(pool: Pool, weights: FloatArray, lists: IntArray) -> FloatArray:
    """The gradient of the expected quality of some lists, written out."""
    rows, quality = pool.features.to_dense(), pool.scores["quality"]
    total = np.zeros_like(weights)
    for index in lists:
        one = lists_of(pool)[index]
        p = softmax(rows[one] @ weights)
        total -= (p * (quality[one] - p @ quality[one])) @ rows[one]
    return total / len(lists)


def plain_epoch(pool: Pool, weights: FloatArray, visits: Visits, space: Space) -> list[FloatArray]:
    """What `descend` must do, without any of its shortcuts: all weights after each step."""
    path = []
    for step, rate in enumerate(visits.rates):
        batch = visits.order[step * visits.batch : (step + 1) * visits.batch]
        moved = weights - rate * risk_gradient(pool, weights, batch)
        size = np.maximum(np.abs(moved) - rate * space.l1, 0.0) / (1 + rate * space.l2)
        weights = space.project(np.copysign(size, moved))
        path.append(weights)
    return path


@pytest.mark.parametrize("batch", [1, 3, 50])
@pytest.mark.parametrize(("l1", "l2"), [(0.0, 0.0), (0.02, 0.0), (0.0, 0.5), (0.02, 0.3)])
@pytest.mark.parametrize("sparse", [4, 150])
def test_lazy_steps_end_where_plain_ones_do(batch: int, l1: float, l2: float, sparse: int) -> None:
    pool = scored_pool(71, lists=40, most=4, sparse=sparse)
    random = np.random.default_rng(1)
    start = random.standard_normal(pool.features.width)
    bounds = {"f0": (0.1, 0.6), "f4": (-5.0, -0.05), "f5": (-0.2, 0.2)}
    start[[0, 4, 5]] = [0.3, -1.0, 0.1]
    space = Space.build(pool.feature_names, start=start, bounds=bounds, frozen=["f1", "f6"], l1=l1, l2=l2)
    steps = -(-40 // batch)
    visits = Visits(random.permutation(40), batch, 0.8 / (1 + np.arange(steps)))
    path = plain_epoch(pool, start, visits, space)
    weights, squares, average = ExpectedMetric.build(pool, Mean()).descend(start, NOTHING, visits, space)
    assert weights == pytest.approx(path[-1], rel=1e-10, abs=1e-13)
    assert len(squares) == 0
    pause = max(1, pool.features.width * steps // len(pool.features.values))
    seen = [*path[pause - 1 :: pause], *([] if steps % pause == 0 else [path[-1]])]
    assert average == pytest.approx(np.mean(seen, axis=0), rel=1e-10, abs=1e-13)


def test_strong_penalties_over_many_skipped_steps_do_not_underflow() -> None:
    pool = scored_pool(72, lists=400, most=3, dense=1, sparse=4000)
    space = Space.build(pool.feature_names, start=np.full(pool.features.width, 3.0), l1=0.1, l2=50.0)
    visits = Visits(np.arange(400), 1, np.full(400, 1.0))
    weights, _, average = ExpectedMetric.build(pool, Mean()).descend(space.start, NOTHING, visits, space)
    assert np.isfinite(average).all()
    assert (np.abs(weights) < 0.02).all()


def test_pairs_weigh_as_they_do_in_the_loss() -> None:
    pool = scored_pool(73, lists=30)
    objective = Pairwise.build(pool, Mean(), samples=50, kept=5)
    space = Space.build(pool.feature_names)
    visits = Visits(np.arange(30), 30, np.array([0.5]))
    weights, _, _ = objective.descend(space.start, NOTHING, visits, space)
    assert weights == pytest.approx(-0.5 * objective.loss_and_gradient(space.start)[1], rel=1e-12)


def test_it_comes_near_the_minimum() -> None:
    pool = scored_pool(74, lists=200)
    objective = PlackettLuce.build(pool, Mean(), k=2)
    space = Space.build(pool.feature_names, len(pool), l2=5.0)
    best = Lbfgs().start(objective, space)
    start = best.loss
    while not best.done:
        best = Lbfgs().step(objective, space, best, lambda loss, w: None)
    optimizer = Sgd(rate=0.2, decay=1.0, tolerance=1e-7, epochs=60)
    state = optimizer.start(objective, space)
    while not state.done:
        state = optimizer.step(objective, space, state, lambda loss, w: None)
    assert best.loss < state.loss < best.loss + 0.01 * (start - best.loss)


def test_an_epoch_goes_on_from_the_last_weights_in_an_order_of_its_own() -> None:
    pool = scored_pool(75, lists=50)
    objective = ExpectedMetric.build(pool, Mean())
    space = Space.build(pool.feature_names)
    optimizer = Sgd(rate=0.5, decay=1.0, tolerance=0.0, seed=4)
    first = optimizer.step(objective, space, optimizer.start(objective, space), lambda loss, w: None)
    second = optimizer.step(objective, space, first, lambda loss, w: None)
    orders = [np.random.default_rng([4, epoch]).permutation(50) for epoch in (0, 1)]
    assert not np.array_equal(*orders)
    current = space.start
    for epoch, order in enumerate(orders):
        visits = Visits(order, 1, 0.5 / (1 + (epoch + np.arange(50) / 50)))
        current, _, average = objective.descend(current, NOTHING, visits, space)
    assert np.array_equal(second.memory["current"], current)
    assert np.array_equal(second.weights, average)
    last = Sgd(rate=0.5, decay=1.0, tolerance=0.0, seed=4, average=False)
    assert not np.array_equal(last.step(objective, space, first, lambda loss, w: None).weights, average)


def test_the_seed_decides() -> None:
    pool = scored_pool(75, lists=50)
    objective = ExpectedMetric.build(pool, Mean())
    space = Space.build(pool.feature_names)
    ends = []
    for seed in (1, 1, 2):
        optimizer = Sgd(epochs=1, seed=seed)
        state = optimizer.step(objective, space, optimizer.start(objective, space), lambda loss, w: None)
        ends.append(state.weights)
    assert np.array_equal(ends[0], ends[1])
    assert not np.array_equal(ends[0], ends[2])


def test_an_epoch_that_makes_things_worse_is_not_what_remains() -> None:
    pool = scored_pool(76, lists=50)
    objective = PlackettLuce.build(pool, Mean())
    space = Space.build(pool.feature_names)
    optimizer = Sgd(rate=1000.0, epochs=3)
    state = start = optimizer.start(objective, space)
    losses: list[float] = []
    while not state.done:
        state = optimizer.step(objective, space, state, lambda loss, w: losses.append(loss))
    assert min(losses) > start.loss
    assert state.loss == start.loss
    assert np.array_equal(state.weights, start.weights)


def test_a_corpus_metric_cannot_be_descended_a_list_at_a_time() -> None:
    pool = scored_pool(77)
    objective = ExpectedStatistics.build(pool, Mean())
    space = Space.build(pool.feature_names)
    with pytest.raises(OptionError, match=r"ExpectedStatistics is not a mean over lists.*use lbfgs"):
        Sgd().step(objective, space, Sgd().start(objective, space), lambda loss, w: None)


@pytest.mark.parametrize(
    ("visits", "message"),
    [
        (Visits(np.array([0, 99]), 1, np.ones(2)), "list 99 is outside"),
        (Visits(np.array([0, -1]), 1, np.ones(2)), "list -1 is outside"),
        (Visits(np.array([0, 1]), 1, np.ones(3)), "3 rates for 2 batches"),
        (Visits(np.array([0, 1]), 0, np.ones(2)), "at least one list"),
    ],
)
def test_impossible_visits_are_refused(visits: Visits, message: str) -> None:
    pool = scored_pool(78)
    space = Space.build(pool.feature_names)
    with pytest.raises(InputError, match=message):
        ExpectedMetric.build(pool, Mean()).descend(space.start, NOTHING, visits, space)


@pytest.mark.parametrize(
    "option", [{"rate": 0.0}, {"decay": -1.0}, {"epochs": 0}, {"batch": 0}, {"tolerance": -1.0}]
)
def test_senseless_options_are_refused(option: dict[str, float]) -> None:
    with pytest.raises(OptionError, match=next(iter(option))):
        Sgd(**option)  # type: ignore[arg-type]
