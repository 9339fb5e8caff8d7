from __future__ import annotations

import numpy as np
import pytest
from tests.random_pools import scored_pool
from tests.toy_metrics import Gradientless, Product
from tests.tuning.runs import run_for, same, solve

from tunesmith.candidates.pool import Pool
from tunesmith.errors import OptionError
from tunesmith.objectives.expected_statistics import ExpectedStatistics
from tunesmith.tuning.run import Solution

POOL = scored_pool(131, lists=80, most=30)


def corpus_score(pool: Pool, solution: Solution) -> float:
    return float(Product().score(pool.stats(Product())[pool.best(solution.weights)].sum(axis=0)))


def test_the_corpus_metric_rises_further_than_by_random_weights() -> None:
    solution = solve("corpus-risk", run_for(POOL, metric=Product()))
    random = np.random.default_rng(1)
    stats = POOL.stats(Product())
    rivals = [Product().score(stats[POOL.best(random.standard_normal(12))].sum(axis=0)) for _ in range(500)]
    assert corpus_score(POOL, solution) > max(rivals)


def test_the_losses_are_those_of_the_last_temperature() -> None:
    run = run_for(POOL, metric=Product())
    solution = solve("corpus-risk", run, gamma=8.0)
    last = ExpectedStatistics.build(POOL, Product(), gamma=8.0)
    assert solution.start_loss == last.loss(np.zeros(12))
    assert solution.loss == last.loss(solution.weights) + run.space.penalty(solution.weights)
    assert {record["gamma"] for record in run.history.records} == {8.0, 8 / 3, 8 / 9, 8 / 27}


def test_a_metric_without_a_gradient_is_refused() -> None:
    with pytest.raises(OptionError, match="gradientless has no gradient"):
        solve("corpus-risk", run_for(POOL, metric=Gradientless()))


def test_threads_do_not_matter() -> None:
    one, three = (run_for(POOL, metric=Product(), threads=threads) for threads in (1, 3))
    assert same(solve("corpus-risk", one), solve("corpus-risk", three))


def test_frozen_and_bounded_weights_are_respected() -> None:
    run = run_for(POOL, metric=Product(), start={"f0": 0.5}, frozen=["f0"], bounds={"f1": (0.0, 0.01)})
    weights = solve("corpus-risk", run).weights
    assert weights[0] == 0.5
    assert 0.0 <= weights[1] <= 0.01
