from __future__ import annotations

import numpy as np
import pytest
from tests.random_pools import scored_pool
from tests.toy_metrics import Mean
from tests.tuning.runs import chosen_quality, first_quality, run_for, solve

from tunesmith.objectives.best_likelihood import BestLikelihood

POOL = scored_pool(141, lists=80, most=30)


@pytest.mark.parametrize("optimizer", ["lbfgs", "sgd", "adagrad"])
def test_the_model_learns_to_choose_better_candidates(optimizer: str) -> None:
    solution = solve("cll", run_for(POOL, l2=1.0), optimizer=optimizer)
    assert chosen_quality(POOL, solution) > first_quality(POOL) + 0.1
    assert solution.loss < solution.start_loss


def test_the_losses_are_penalized_likelihoods() -> None:
    run = run_for(POOL, l2=1.0, start={"f0": 1.0})
    solution = solve("cll", run)
    objective = BestLikelihood.build(POOL, Mean())
    start = np.eye(12)[0]
    assert solution.start_loss == objective.loss(start) + 0.5 / 80
    assert solution.loss == objective.loss(solution.weights) + run.space.penalty(solution.weights)
