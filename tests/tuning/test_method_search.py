from __future__ import annotations

import numpy as np
import pytest
from tests.random_pools import scored_pool
from tests.toy_metrics import Mean
from tests.tuning.runs import chosen_quality, first_quality, run_for, same, solve

from tunesmith.errors import OptionError
from tunesmith.objectives.corpus_error import corpus_loss

POOL = scored_pool(51, lists=30)


def test_the_model_learns_to_choose_better_candidates() -> None:
    assert chosen_quality(POOL, solve("search", run_for(POOL, l2=0.0))) > first_quality(POOL) + 0.05


def test_every_trial_is_a_draw_of_its_own_seed() -> None:
    """The best of the draws that the numbers of the trials stand for, whatever the steps."""
    for trials in (1, 49, 50, 51, 120):
        solution = solve("search", run_for(POOL, l2=0.0, seed=6), trials=trials, scale=2.0)
        draws = [np.random.default_rng([6, trial]).uniform(-2.0, 2.0, 12) for trial in range(trials)]
        best = min(draws, key=lambda draw: corpus_loss(POOL, Mean(), draw))
        assert np.array_equal(solution.weights, best) or solution.loss == solution.start_loss
        assert solution.loss == min(corpus_loss(POOL, Mean(), best), solution.start_loss)


def test_more_trials_are_never_worse() -> None:
    losses = [solve("search", run_for(POOL, l2=0.0), trials=trials).loss for trials in (1, 20, 75, 200, 900)]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < losses[0]


def test_the_same_seed_gives_the_same_result_and_another_another() -> None:
    one, again, other = (solve("search", run_for(POOL, l2=0.0, seed=seed), trials=60) for seed in (1, 1, 2))
    assert same(one, again)
    assert not np.array_equal(one.weights, other.weights)


@pytest.mark.parametrize(
    "options", [{"trials": 0}, {"trials": 1.5}, {"scale": 0.0}, {"scale": float("inf")}, {"scale": "x"}]
)
def test_wrong_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(OptionError, match=f"search: {next(iter(options))} must"):
        solve("search", run_for(POOL), **options)
