from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.random_pools import pool_of, scored_pool
from tests.toy_metrics import Mean, Product

from tunesmith.candidates.features import Features
from tunesmith.errors import OptionError
from tunesmith.objectives.corpus_error import CorpusError
from tunesmith.objectives.expected_statistics import ExpectedStatistics
from tunesmith.optimizers import Space, State
from tunesmith.optimizers.climb import Climber
from tunesmith.optimizers.line_search import LineSearch
from tunesmith.types import FloatArray


def run(optimizer: LineSearch, objective: CorpusError, space: Space) -> tuple[State, list[float]]:
    losses: list[float] = []
    state = optimizer.start(objective, space)
    while not state.done:
        state = optimizer.step(objective, space, state, lambda loss, weights: losses.append(loss))
    return state, losses


@pytest.mark.parametrize("variant", ["powell", "och"])
def test_an_end_is_best_along_every_axis(variant: str) -> None:
    """What it could not improve, no step along an axis improves: tried on a grid, by reranking."""
    pool = scored_pool(61, lists=20)
    objective, space = CorpusError.build(pool, Product()), Space.build(pool.feature_names)
    state, _ = run(LineSearch(restarts=2, variant=variant), objective, space)  # type: ignore[arg-type]
    for axis in np.eye(space.width):
        for step in np.concatenate([-np.geomspace(1e-6, 10, 40), np.geomspace(1e-6, 10, 40)]):
            assert objective.loss(state.weights + step * axis) >= state.loss - 1e-6


def test_every_start_is_traced_and_the_best_is_kept() -> None:
    pool = scored_pool(62, lists=30)
    objective, space = CorpusError.build(pool, Mean()), Space.build(pool.feature_names)
    state, losses = run(LineSearch(restarts=9, batch=4), objective, space)
    assert len(losses) == 10
    assert state.steps == 3
    assert state.loss == min(losses)


def test_a_start_that_is_the_optimum_is_kept() -> None:
    pool = scored_pool(63, lists=15)
    objective = CorpusError.build(pool, Mean())
    best, _ = run(LineSearch(restarts=15), objective, Space.build(pool.feature_names))
    again, _ = run(LineSearch(restarts=0), objective, Space.build(pool.feature_names, start=best.weights))
    assert again.loss <= best.loss


def test_given_starts_are_searched_from_in_place_of_that_of_the_space() -> None:
    pool = scored_pool(63, lists=15)
    objective, space = CorpusError.build(pool, Mean()), Space.build(pool.feature_names)
    best, _ = run(LineSearch(restarts=15), objective, space)
    _, losses = run(LineSearch(restarts=1, starts=(best.weights, -best.weights)), objective, space)
    assert losses[0] <= best.loss
    assert losses[1] > best.loss


def test_a_search_within_reach_takes_small_steps() -> None:
    pool = scored_pool(66, lists=20)
    objective, free = CorpusError.build(pool, Mean()), np.ones(pool.features.width, dtype=np.bool_)
    geometry, space = objective.geometry(free), Space.build(pool.feature_names)
    start = np.random.default_rng(1).standard_normal(pool.features.width)
    moved = []
    for reach in (0.01, None):
        climber = Climber(objective, space, geometry, reach=reach)
        point = climber.at(start)
        found = climber.climb_best(point, [0, 1, 2])
        size = geometry.spread(point.weights)
        ratio = float(np.linalg.norm(found.weights) / np.linalg.norm(point.weights))
        assert found.value >= point.value
        moved.append(min(geometry.spread(found.weights / s - point.weights) / size for s in (1.0, ratio)))
    assert moved[0] < 0.05 < moved[1]


def test_reach_is_measured_by_the_scores_of_frozen_features_too() -> None:
    pool = scored_pool(67, lists=20)
    objective = CorpusError.build(pool, Mean())
    start = np.full(pool.features.width, 0.01)
    start[0] = 1.0
    space = Space.build(pool.feature_names, start=start, frozen=[pool.feature_names[0]])
    climber = Climber(objective, space, objective.geometry(space.free), reach=0.5)
    low, high = climber._within(climber.at(start), np.eye(space.width)[1])
    everything = objective.geometry(np.ones_like(space.free))
    assert (
        -low
        == high
        == pytest.approx(0.5 * everything.spread(start) / everything.spread(np.eye(space.width)[1]))
    )
    assert high > 0.1  # the free weights alone are spread a hundred times less


@pytest.mark.parametrize("varies", [False, True])
def test_only_a_frozen_feature_that_ranks_candidates_fixes_the_size_of_weights(varies: bool) -> None:
    """Beside one that does not, weights keep their sum, however many rounds a tuning loop has."""
    pool = scored_pool(68, lists=20, dense=4, sparse=0)
    values = pool.features.to_dense()
    frozen = np.repeat(np.arange(len(pool)), np.diff(pool.offsets)).astype(float)
    frozen += np.arange(len(values)) if varies else 0.0
    names = [*pool.feature_names, "held"]
    pool = replace(pool, features=Features.from_dense(np.column_stack([values, frozen]), names))
    objective, start = CorpusError.build(pool, Mean()), np.array([1.0, -2.0, 0.5, 3.0, 1.0])
    space = Space.build(pool.feature_names, start=start, frozen=["held"])
    climber = Climber(objective, space, objective.geometry(space.free))
    assert climber.anchored is varies
    state, _ = run(LineSearch(restarts=4), objective, space)
    assert state.weights[-1] == 1.0
    assert state.loss < objective.loss(start)
    assert (np.abs(state.weights[:-1]).sum() == pytest.approx(6.5, rel=1e-12)) is not varies


def test_beside_a_frozen_feature_that_ranks_few_candidates_weights_are_no_larger_than_they_must_be() -> None:
    pool = scored_pool(69, lists=20, dense=4, sparse=0)
    held = np.zeros(len(pool.features))
    held[pool.offsets[np.argmax(np.diff(pool.offsets))]] = 1e-3
    names = [*pool.feature_names, "held"]
    pool = replace(
        pool, features=Features.from_dense(np.column_stack([pool.features.to_dense(), held]), names)
    )
    objective, start = CorpusError.build(pool, Mean()), np.array([1.0, -2.0, 0.5, 3.0, 1.0])
    space = Space.build(names, start=start, frozen=["held"])
    climber = Climber(objective, space, objective.geometry(space.free))
    assert climber.anchored
    far = climber.settled(climber.at(np.array([1e5, -2e5, 0.5e5, 3e5, 1.0])))
    assert far.value == climber.at(start).value
    np.testing.assert_allclose(far.weights, start, rtol=1e-12)


@pytest.mark.parametrize("batch", [0, -1])
def test_a_batch_of_none_is_refused(batch: int) -> None:
    with pytest.raises(OptionError, match="batch"):
        LineSearch(batch=batch)


def test_a_guide_may_help_and_never_changes_what_is_measured() -> None:
    pool = scored_pool(64, lists=40)
    objective, space = CorpusError.build(pool, Product()), Space.build(pool.feature_names)
    guided, _ = run(LineSearch(ExpectedStatistics.build(pool, Product()), restarts=3), objective, space)
    assert guided.loss == pytest.approx(objective.loss(guided.weights), rel=1e-12)
    assert guided.loss < objective.loss(space.start)


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_the_units_of_a_feature_do_not_matter(scale: float) -> None:
    pool = scored_pool(65, lists=15, dense=2, sparse=0)
    rows: FloatArray = np.stack([pool.features.dot(axis, 1) for axis in np.eye(2)], axis=1)
    other = pool_of(np.diff(pool.offsets).tolist(), rows * [1.0, scale], pool.scores["quality"])
    ends = [
        run(LineSearch(), CorpusError.build(lists, Mean()), Space.build(lists.feature_names))[0]
        for lists in (pool, other)
    ]
    assert ends[0].loss == pytest.approx(ends[1].loss, rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["powell", "och"])
def test_threads_change_nothing(variant: str) -> None:
    pool = scored_pool(66, lists=25)
    objective, space = CorpusError.build(pool, Mean()), Space.build(pool.feature_names, l2=0.01)
    settings = {"restarts": 6, "variant": variant}
    (one, losses), (three, others) = (
        run(LineSearch(threads=threads, **settings), objective, space)  # type: ignore[arg-type]
        for threads in (1, 3)
    )
    assert losses == others
    assert np.array_equal(one.weights, three.weights)


def test_lists_of_one_candidate_leave_nothing_to_search() -> None:
    pool = pool_of([1, 1], np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([0.5, 0.25]))
    objective, space = CorpusError.build(pool, Mean()), Space.build(pool.feature_names)
    state, _ = run(LineSearch(restarts=3), objective, space)
    assert state.loss == -0.375
    assert np.isfinite(state.weights).all()
