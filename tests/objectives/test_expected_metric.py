from __future__ import annotations

import numpy as np
import pytest
from scipy.special import softmax
from tests.random_pools import lists_of, scored_pool
from tests.toy_metrics import ErrorRate, Mean

from tunesmith.errors import OptionError
from tunesmith.objectives.expected_metric import ExpectedMetric


@pytest.mark.parametrize("gamma", [0.1, 1.0, 7.0])
def test_the_loss_is_the_expected_sentence_metric(gamma: float) -> None:
    pool = scored_pool(21)
    weights = np.random.default_rng(1).standard_normal(pool.features.width)
    scores, quality = pool.features.dot(weights), pool.scores["quality"]
    expected = [softmax(gamma * scores[rows]) @ quality[rows] for rows in lists_of(pool)]
    objective = ExpectedMetric.build(pool, Mean(), gamma=gamma)
    assert objective.loss(weights) == pytest.approx(-np.mean(expected), rel=1e-12)


def test_a_large_gamma_scores_the_best_candidates_of_the_model() -> None:
    pool = scored_pool(22)
    weights = np.random.default_rng(2).standard_normal(pool.features.width)
    chosen = pool.scores["quality"][pool.best(weights)].mean()
    assert ExpectedMetric.build(pool, Mean(), gamma=1e9).loss(weights) == pytest.approx(-chosen, rel=1e-9)


def test_errors_are_minimized() -> None:
    pool = scored_pool(23)
    weights = np.zeros(pool.features.width)
    errors = ExpectedMetric.build(pool, ErrorRate()).loss(weights)
    assert errors == -ExpectedMetric.build(pool, Mean()).loss(weights)
    assert errors > 0


@pytest.mark.parametrize("gamma", [0.0, -1.0, float("nan"), float("inf")])
def test_a_gamma_that_is_not_positive_is_refused(gamma: float) -> None:
    with pytest.raises(OptionError, match="gamma must be a positive number"):
        ExpectedMetric.build(scored_pool(1), Mean(), gamma=gamma)
