"""The xBLEU training of Auli, Galley and Gao (2014): last weights of epochs, stopped by held-out lists."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from tests.random_pools import lists_of, scored_pool
from tests.toy_metrics import Mean
from tests.tuning.runs import check_resumes, run_for, solve

from tunesmith.candidates.pool import Pool
from tunesmith.errors import InputError
from tunesmith.objectives.expected_metric import ExpectedMetric
from tunesmith.types import FloatArray

POOL = scored_pool(121, lists=24, most=12)
PAPER = {"optimizer": "sgd", "gamma": 1.0, "temperatures": 1, "rate": 0.1, "average_steps": False}
DRAWN = np.random.default_rng([1, 24]).permutation(24)
HELD_OUT, TRAINING = (POOL.take_lists(np.sort(lists)) for lists in (DRAWN[:6], DRAWN[6:]))


def loss(pool: Pool, weights: FloatArray) -> float:
    return ExpectedMetric.build(pool, Mean(), gamma=1.0).loss(weights)


def epochs(pool: Pool, count: int) -> list[FloatArray]:
    """Return the weights after each epoch of plain stochastic ascent of expected gain, list by list."""
    rows, lists = pool.features, lists_of(pool)
    matrix = np.zeros((len(rows), rows.width))
    for row in range(len(rows)):
        part = slice(rows.offsets[row], rows.offsets[row + 1])
        matrix[row, rows.columns[part]] = rows.values[part]
    weights, found = np.zeros(rows.width), []
    for epoch in range(count):
        for number in np.random.default_rng([1, epoch]).permutation(len(lists)):
            own = matrix[lists[number]]
            gains = pool.scores["quality"][lists[number]]
            shares = np.exp(own @ weights)
            shares /= shares.sum()
            weights = weights + 0.1 * own.T @ (shares * (gains - shares @ gains))
        found.append(weights)
    return found


def test_without_averaging_the_weights_of_an_epoch_are_its_last() -> None:
    best = min(epochs(POOL, 4), key=partial(loss, POOL))
    last, averaged = (
        solve("risk", run_for(POOL, l2=0.0), **(PAPER | {"average_steps": on}), optimizer_iterations=4)
        for on in (False, True)
    )
    assert last.weights == pytest.approx(best, abs=1e-9)
    assert not np.allclose(averaged.weights, best, atol=1e-4)


def test_training_stops_by_lists_that_it_does_not_learn_from() -> None:
    run = run_for(POOL, l2=0.0)
    solution = solve("risk", run, **PAPER, optimizer_iterations=60, validation_share=0.25)
    losses = [record["loss"] for record in run.history.records]
    steps = epochs(TRAINING, len(losses))
    assert losses == pytest.approx([loss(HELD_OUT, weights) for weights in steps])
    assert solution.weights == pytest.approx(steps[int(np.argmin(losses))], abs=1e-9)
    changes = np.abs(np.diff(losses)) / np.abs(losses[1:])
    assert 3 < len(losses) < 60
    assert changes[-1] <= 0.0003 < changes[:-1].min()
    assert solution.notes["validation_lists"] == len(HELD_OUT) == 6


def test_a_killed_validated_run_ends_where_it_would_have_ended(tmp_path: Path) -> None:
    options = {"optimizer": "sgd", "optimizer_iterations": 6, "validation_share": 0.25}
    check_resumes("risk", tmp_path / "history.jsonl", partial(run_for, POOL), 2, **options)


def test_a_single_list_cannot_be_held_out() -> None:
    with pytest.raises(InputError, match="at least 2 lists"):
        solve("risk", run_for(POOL.take_lists([0])), **PAPER, validation_share=0.5)
