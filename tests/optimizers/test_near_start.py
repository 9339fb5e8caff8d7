"""The point nearest to the start that is nearly as good as the best, against a fine grid of the line."""

from __future__ import annotations

import numpy as np
import pytest
from tests.random_pools import scored_pool
from tests.toy_metrics import Mean
from tests.tuning.runs import run_for, same, solve

from tunesmith.objectives.corpus_error import CorpusError
from tunesmith.optimizers.near_start import nearest_to_start
from tunesmith.optimizers.space import Space

POOL = scored_pool(41, lists=40, dense=4, sparse=0)
OBJECTIVE = CorpusError.build(POOL, Mean())
START = {"f0": 0.25, "f1": -0.25, "f2": 0.25, "f3": 0.25}


def best(space: Space) -> np.ndarray:
    run = run_for(POOL, l2=0.0, start=START)
    run.space = space
    return solve("mert", run, restarts=4).weights


@pytest.mark.parametrize("slack", [0.0, 0.005, 0.02, 0.5])
@pytest.mark.parametrize("l2", [0.0, 0.5])
def test_no_point_of_a_fine_grid_is_nearer_to_the_start_and_as_good(slack: float, l2: float) -> None:
    space = Space.build(POOL.feature_names, len(POOL), start=START, l2=l2, bounds={"f3": (0.1, 0.6)})
    end = best(space)

    def value(weights: np.ndarray) -> float:
        return -OBJECTIVE.loss(weights) - space.penalty(weights)

    found, loss = nearest_to_start(OBJECTIVE, space, end, slack)
    assert loss == pytest.approx(-value(found), abs=1e-12)
    assert value(found) >= value(end) - slack
    assert value(found) > value(space.start)
    shares = np.linspace(0.0, 1.0, 2001)
    points = [(1 - share) * space.start + share * end for share in shares]
    good = [value(each) >= value(end) - slack and value(each) > value(space.start) for each in points]
    nearest = float(np.linalg.norm(points[good.index(True)] - space.start))
    width = float(np.linalg.norm(end - space.start))
    # The middle of the nearest good interval; with a penalty, of an interval whose middle is good.
    assert np.linalg.norm(found - space.start) <= nearest + 0.1 * width


def test_weights_of_other_sizes_are_compared_at_the_same_size() -> None:
    space = Space.build(
        POOL.feature_names, len(POOL), start={name: 8 * value for name, value in START.items()}
    )
    whole, _ = nearest_to_start(OBJECTIVE, space, 5 * best(space), 0.02)
    assert np.abs(whole).sum() == pytest.approx(1.0)
    once = Space.build(POOL.feature_names, len(POOL), start=START)
    assert whole == pytest.approx(nearest_to_start(OBJECTIVE, once, best(space), 0.02)[0])


def test_without_a_start_nothing_moves() -> None:
    space = Space.build(POOL.feature_names, len(POOL))
    weights = np.array([0.5, 0.0, -0.25, 0.25])
    assert nearest_to_start(OBJECTIVE, space, weights, 1.0)[0].tolist() == weights.tolist()


def test_mert_with_slack_stays_nearer_to_the_start_and_says_what_it_gave_up() -> None:
    plain, near = (
        solve("mert", run_for(POOL, l2=0.0, start=START), restarts=4, slack=s) for s in (0.0, 0.02)
    )
    assert near.notes["best_loss"] == plain.loss
    assert plain.loss <= near.loss <= plain.loss + 0.02
    assert near.loss < near.start_loss
    start = np.array(list(START.values()))
    assert np.abs(near.weights - start).sum() < np.abs(plain.weights - start).sum()
    threads = solve("mert", run_for(POOL, l2=0.0, start=START, threads=3), restarts=4, slack=0.02)
    assert same(near, threads)
