from __future__ import annotations

import numpy as np
import pytest
from scipy.special import softmax
from tests.random_pools import lists_of, scored_pool
from tests.toy_metrics import ErrorRate, Gradientless, Mean, Product

from tunesmith import _native
from tunesmith.candidates.pool import Pool
from tunesmith.errors import InputError, OptionError
from tunesmith.metrics.bleu import Bleu
from tunesmith.objectives.expected_statistics import ExpectedStatistics
from tunesmith.texts import Texts


def bleu_pool(seed: int, lists: int = 20) -> Pool:
    """Candidates that are references with words exchanged, dropped and doubled."""
    random = np.random.default_rng(seed)
    references = [[f"w{word}" for word in random.integers(0, 30, 12)] for _ in range(lists)]
    pool = scored_pool(seed, lists=lists)
    texts = []
    for rows, reference in zip(lists_of(pool), references, strict=True):
        for _ in rows:
            words = [word if random.random() < 0.8 else "x" for word in reference]
            texts.append(" ".join(words[: random.integers(7, 13)] + ["y"] * random.integers(0, 3)))
    return Pool(
        pool.ids,
        pool.offsets,
        pool.features,
        Texts.of(texts),
        (Texts.of([" ".join(reference) for reference in references]),),
    )


def test_the_loss_is_the_metric_of_the_expected_statistics() -> None:
    pool = scored_pool(31)
    weights = np.random.default_rng(1).standard_normal(pool.features.width)
    scores, stats = pool.features.dot(weights), pool.stats(Product())
    total = sum(softmax(2.0 * scores[rows]) @ stats[rows] for rows in lists_of(pool))
    objective = ExpectedStatistics.build(pool, Product(), gamma=2.0)
    assert objective.expected(weights) == pytest.approx(total, rel=1e-12)
    assert objective.loss(weights) == pytest.approx(-float(Product().score(total)), rel=1e-12)


def test_a_large_gamma_gives_the_corpus_bleu_of_the_best_candidates() -> None:
    pool = bleu_pool(32)
    weights = np.random.default_rng(2).standard_normal(pool.features.width)
    bleu = Bleu().score(pool.stats(Bleu())[pool.best(weights)].sum(axis=0))
    loss = ExpectedStatistics.build(pool, Bleu(), gamma=1e9).loss(weights)
    assert loss == pytest.approx(-float(bleu), abs=1e-3)


@pytest.mark.parametrize("seed", range(5))
def test_the_gradient_of_expected_bleu_is_the_limit_of_differences(seed: int) -> None:
    pool = bleu_pool(seed)
    objective = ExpectedStatistics.build(pool, Bleu(), gamma=1.5)
    weights = np.random.default_rng(seed).standard_normal(pool.features.width)
    _, gradient = objective.loss_and_gradient(weights)
    for index in range(len(weights)):
        shift = np.zeros_like(weights)
        shift[index] = 1e-6
        slope = (objective.loss(weights + shift) - objective.loss(weights - shift)) / 2e-6
        assert gradient[index] == pytest.approx(slope, abs=2e-7 * np.abs(gradient).max() + 1e-9)


def test_errors_are_minimized() -> None:
    pool = scored_pool(33)
    weights = np.ones(pool.features.width)
    loss, gradient = ExpectedStatistics.build(pool, ErrorRate()).loss_and_gradient(weights)
    other, opposite = ExpectedStatistics.build(pool, Mean()).loss_and_gradient(weights)
    assert loss == -other
    assert np.array_equal(gradient, -opposite)


def test_a_metric_without_a_gradient_is_refused_when_the_objective_is_built() -> None:
    with pytest.raises(OptionError, match="gradientless has no gradient"):
        ExpectedStatistics.build(scored_pool(1), Gradientless())


def test_statistics_of_the_wrong_number_of_candidates_are_refused() -> None:
    pool = scored_pool(1)
    rows = pool.features
    arrays = (pool.offsets, rows.offsets, rows.columns, rows.values, np.zeros(rows.width))
    with pytest.raises(InputError, match="rows of statistics"):
        _native.expected_stats(*arrays, 1.0, np.ones((3, 2)), 1)
