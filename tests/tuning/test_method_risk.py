from __future__ import annotations

import dataclasses
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from tests.random_pools import pool_of, scored_pool
from tests.toy_metrics import ErrorRate, Mean
from tests.tuning.runs import (
    check_resumes,
    chosen_quality,
    first_quality,
    run_for,
    solve,
)

from tunesmith.errors import OptionError
from tunesmith.objectives.expected_metric import ExpectedMetric
from tunesmith.tuning.annealing import sharp_gamma, spread

POOL = scored_pool(121, lists=80, most=30)


def test_the_model_learns_to_choose_better_candidates() -> None:
    assert chosen_quality(POOL, solve("risk", run_for(POOL))) > first_quality(POOL) + 0.1


def test_an_error_rate_falls() -> None:
    assert chosen_quality(POOL, solve("risk", run_for(POOL, metric=ErrorRate()))) < first_quality(POOL) - 0.1


def test_every_temperature_is_a_stage_and_gamma_rises() -> None:
    run = run_for(POOL)
    solution = solve("risk", run, gamma=8.0, temperatures=3, cooling=2.0)
    stages = {record["stage"]: record["gamma"] for record in run.history.records}
    assert stages == {0: 2.0, 1: 4.0, 2: 8.0}
    assert solution.notes == {"gamma": 8.0, "temperatures": 3}


def test_the_losses_are_those_of_the_last_temperature() -> None:
    run = run_for(POOL)
    solution = solve("risk", run, gamma=8.0)
    last = ExpectedMetric.build(POOL, Mean(), gamma=8.0)
    assert solution.start_loss == last.loss(np.zeros(12))
    assert solution.loss == last.loss(solution.weights) + run.space.penalty(solution.weights)
    assert solution.loss < solution.start_loss


def test_a_start_that_annealing_would_spoil_is_kept_or_improved() -> None:
    solution = solve("risk", run_for(POOL), gamma=50.0, temperatures=1)
    again = run_for(POOL, start=solution.weights)
    # Ten hot iterations and one cold one do not come back to a good start.
    spoiled = solve("risk", again, gamma=50.0, temperatures=8, cooling=20.0, optimizer_iterations=1)
    assert spoiled.loss <= spoiled.start_loss


def test_scaling_all_features_changes_nothing_by_default() -> None:
    solution = solve("risk", run_for(POOL))
    rows = POOL.features
    scaled = dataclasses.replace(POOL, features=dataclasses.replace(rows, values=rows.values * 1024))
    other = solve("risk", run_for(scaled))
    assert other.loss == pytest.approx(solution.loss, rel=1e-6)
    assert other.notes["gamma"] == pytest.approx(solution.notes["gamma"] / 1024)  # type: ignore[operator]


def test_the_spread_is_the_distance_from_the_mean_of_the_list() -> None:
    matrix = np.array([[1.0, 0.0], [3.0, 0.0], [5.0, 7.0]])
    # The first list has its mean at (2, 0), both candidates at a distance of 1; the second has one.
    assert spread(pool_of([2, 1], matrix, np.zeros(3))) == pytest.approx(np.sqrt(2 / 3))


def test_candidates_that_are_all_alike_have_a_gamma_too() -> None:
    pool = pool_of([2, 2], np.ones((4, 2)), np.arange(4.0) / 4)
    assert sharp_gamma(pool) == 60.0


def test_expected_bleu_by_stochastic_descent_is_an_option_away() -> None:
    run = run_for(POOL, l2=0.0)
    solution = solve(
        "risk", run, optimizer="sgd", gamma=1.0, temperatures=1, optimizer_iterations=5, rate=0.1
    )
    assert solution.loss < solution.start_loss
    assert len(run.history.records) <= 5


@pytest.mark.parametrize("optimizer", ["lbfgs", "adagrad"])
def test_a_killed_run_ends_where_it_would_have_ended(tmp_path: Path, optimizer: str) -> None:
    for steps in (1, 3):
        path, make = tmp_path / f"{steps}.jsonl", partial(run_for, POOL)
        check_resumes("risk", path, make, steps, optimizer=optimizer, optimizer_iterations=8)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"gamma": 0.0}, "gamma must be a positive number"),
        ({"temperatures": 0}, "temperatures must be at least 1"),
        ({"cooling": 1.0}, "cooling must be above 1"),
        ({"validation_share": 1.0, "optimizer": "sgd"}, "at least 0 and below 1"),
        ({"validation_share": 0.1}, "needs optimizer sgd or adagrad"),
        ({"average_steps": False}, "average_steps false needs optimizer sgd or adagrad"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        solve("risk", run_for(POOL), **options)
