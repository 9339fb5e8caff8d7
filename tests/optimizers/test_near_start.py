"""Back toward the start: what the score may lose, what comes back, and against a fine grid of one axis."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.random_pools import pool_of, scored_pool
from tests.toy_metrics import Mean
from tests.tuning.runs import run_for, same, solve

from tunesmith import tune
from tunesmith.errors import Message
from tunesmith.metrics.standard_error import standard_error_of_difference
from tunesmith.objectives.corpus_error import CorpusError
from tunesmith.optimizers.near_start import nearest_to_start
from tunesmith.optimizers.space import Space

POOL = scored_pool(41, lists=40, dense=4, sparse=0)
OBJECTIVE = CorpusError.build(POOL, Mean())
START = {"f0": 0.25, "f1": -0.25, "f2": 0.25, "f3": 0.25}


def space_of(**how: object) -> Space:
    return Space.build(POOL.feature_names, len(POOL), **({"l2": 0.0, "start": START} | how))  # type: ignore[arg-type]


def best(space: Space) -> np.ndarray:
    run = run_for(POOL, l2=0.0, start=START)
    run.space = space
    return solve("mert", run, restarts=4, allowance=0.0).weights


def slack(space: Space, end: np.ndarray, allowance: float) -> float:
    stats = [POOL.best_stats(Mean(), weights) for weights in (space.start, end)]
    return allowance * standard_error_of_difference(Mean(), *stats)


@pytest.mark.parametrize("allowance", [0.0, 0.3, 1.0, 9.0])
@pytest.mark.parametrize("l2", [0.0, 0.5])
@pytest.mark.parametrize("bounds", [{}, {"f3": (0.1, 0.6)}])
def test_the_score_loses_no_more_than_the_allowance_and_stays_above_the_start(
    allowance: float, l2: float, bounds: dict[str, tuple[float, float]]
) -> None:
    space = space_of(l2=l2, bounds=bounds)
    end = best(space)

    def value(weights: np.ndarray) -> float:
        return -OBJECTIVE.loss(weights) - space.penalty(weights)

    found, loss = nearest_to_start(OBJECTIVE, space, end, allowance)
    assert loss == pytest.approx(-value(found), abs=1e-12)
    assert value(found) >= value(end) - slack(space, end, allowance) - 1e-12
    assert value(found) > value(space.project(space.start))
    assert np.array_equal(found, space.project(found))


@pytest.mark.parametrize("allowance", [0.0, 0.5, 1.0])
def test_one_weight_that_has_moved_is_as_near_to_its_start_as_a_fine_grid_finds(allowance: float) -> None:
    # Bounds make sizes matter, so that no other weight changes with it.
    space = space_of(bounds={"f0": (-9.0, 9.0)})
    far = max(
        (space.start + np.array([move, 0.0, 0.0, 0.0]) for move in np.linspace(-4.0, 4.0, 801)),
        key=lambda weights: -OBJECTIVE.loss(weights),
    )
    found, _ = nearest_to_start(OBJECTIVE, space, far, allowance)
    assert found[1:] == pytest.approx(space.start[1:])
    least, above = -OBJECTIVE.loss(far) - slack(space, far, allowance), -OBJECTIVE.loss(space.start)
    grid = [space.start + share * (far - space.start) for share in np.linspace(0.0, 1.0, 4001)]
    good = [-OBJECTIVE.loss(each) >= least and -OBJECTIVE.loss(each) > above for each in grid]
    nearest, width = grid[good.index(True)], abs(far[0] - space.start[0])
    assert width > 0.1
    # It is the middle of the nearest interval with one score, in the nearest good stretch of the line.
    stretch = good[good.index(True) :]
    length = (stretch.index(False) if False in stretch else len(stretch)) / len(grid)
    moved = abs(found[0] - space.start[0]) - abs(nearest[0] - space.start[0])
    assert -1e-9 <= moved <= length * width / 2 + 0.01 * width


def test_a_weight_that_ranks_nothing_comes_back_whole() -> None:
    matrix = np.array([[1.0, 0.0, 2.0], [0.0, 1.0, 2.0], [1.0, 0.0, 3.0], [0.0, 1.0, 3.0]])
    pool = pool_of([2, 2], matrix, np.array([1.0, 0.0, 1.0, 0.0]))
    space = Space.build(pool.feature_names, 2, start={"f0": 0.2, "f1": 0.4})
    end = np.array([0.4, 0.1, 0.5])
    found, loss = nearest_to_start(CorpusError.build(pool, Mean()), space, end, 0.0)
    assert loss == -1.0
    assert found[2] == 0.0
    assert found[0] > found[1]


def test_a_weight_comes_back_whole_if_what_it_ranks_changes_only_beyond_its_start() -> None:
    matrix = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]])
    pool = pool_of([2, 2], matrix, np.array([1.0, 0.0, 1.0, 0.0]))
    start = {"f0": 0.2, "f1": 0.5, "f2": 0.4}
    space = Space.build(pool.feature_names, 2, start=start, bounds={"f0": (-9.0, 9.0)})
    found, loss = nearest_to_start(CorpusError.build(pool, Mean()), space, np.array([0.4, 3.0, 0.1]), 0.0)
    assert loss == -1.0
    assert found[1] == 0.5


def test_frozen_weights_stay() -> None:
    space = space_of(frozen=["f1"])
    found, _ = nearest_to_start(OBJECTIVE, space, best(space), 1.0)
    assert found[1] == -0.25


def test_weights_of_other_sizes_are_compared_at_the_same_size() -> None:
    space = space_of(start={name: 8 * value for name, value in START.items()})
    whole, _ = nearest_to_start(OBJECTIVE, space, 5 * best(space), 0.5)
    assert np.abs(whole).sum() == pytest.approx(1.0)
    once = space_of()
    assert whole == pytest.approx(nearest_to_start(OBJECTIVE, once, best(space), 0.5)[0])


def test_without_a_start_nothing_moves() -> None:
    space = Space.build(POOL.feature_names, len(POOL))
    weights = np.array([0.5, 0.0, -0.25, 0.25])
    assert nearest_to_start(OBJECTIVE, space, weights, 9.0)[0].tolist() == weights.tolist()


def test_mert_with_an_allowance_stays_nearer_to_the_start_and_says_what_it_gave_up() -> None:
    plain, near = (
        solve("mert", run_for(POOL, l2=0.0, start=START), restarts=4, allowance=allowance)
        for allowance in (0.0, 1.0)
    )
    assert near.notes["best_loss"] == plain.loss
    assert plain.loss < near.loss < near.start_loss
    start = np.array(list(START.values()))
    assert np.abs(near.weights - start).sum() < 0.8 * np.abs(plain.weights - start).sum()
    threads = solve("mert", run_for(POOL, l2=0.0, start=START, threads=3), restarts=4, allowance=1.0)
    assert same(near, threads)


def test_an_allowance_without_start_weights_is_said_to_have_no_effect() -> None:
    def told(**given: Any) -> list[str]:
        warned = tune(POOL, "mert", metric=Mean(), restarts=1, **given).warnings
        return [text for text in warned if "no effect" in text]

    (text,) = told(allowance=1.0)
    assert isinstance(text, Message)
    assert text.spelled("--{}".format) == (
        "the --allowance of mert had no effect: there are no start weights to stay near; give --start"
    )
    assert told(allowance=1.0, start={"f0": 1.0}, frozen=["f0"])  # frozen ones do not move
    assert not told(allowance=1.0, start=START)
    assert not told(allowance=0.0)
