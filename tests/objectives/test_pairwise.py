from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from tests.random_pools import pool_of, scored_pool
from tests.toy_metrics import Mean

from tunesmith import _native
from tunesmith.errors import InputError, OptionError
from tunesmith.objectives.pairwise import Pairwise
from tunesmith.optimizers.lbfgs import Lbfgs
from tunesmith.optimizers.space import Space
from tunesmith.types import FloatArray, IntArray


def sample(offsets: IntArray, gains: FloatArray, seed: int = 1, **options: float) -> tuple[IntArray, ...]:
    settings = {"samples": 5000, "kept": 50, "difference": 0.05} | options
    return _native.sample_pairs(offsets, gains, seed=seed, threads=1, **settings)  # type: ignore[arg-type]


def test_pairs_come_from_one_list_and_differ_enough() -> None:
    random = np.random.default_rng(1)
    offsets = np.array([0, 30, 31, 70, 100])
    gains = random.random(100)
    pairs, better, worse = sample(offsets, gains, difference=0.3)
    assert np.diff(pairs).tolist() == [50, 0, 50, 50]
    lists = np.repeat(np.arange(4), np.diff(pairs))
    for rows in (better, worse):
        assert np.array_equal(np.searchsorted(offsets, rows, side="right") - 1, lists)
    assert (gains[better] - gains[worse] >= 0.3).all()


def test_of_enough_samples_the_largest_differences_are_kept() -> None:
    gains = np.random.default_rng(2).random(20)
    _, better, worse = sample(np.array([0, 20]), gains, samples=100_000, kept=100)
    # 400 ordered pairs are drawn 250 times each: the hundred largest are all the widest pair.
    assert np.ptp(gains) == pytest.approx(float((gains[better] - gains[worse]).min()))


def test_pairs_are_drawn_uniformly() -> None:
    gains = np.arange(5) / 5
    _, better, worse = sample(np.array([0, 5]), gains, samples=50_000, kept=50_000, difference=0.0)
    counts = np.unique(better * 5 + worse, return_counts=True)[1]
    assert len(counts) == 10
    assert np.abs(counts - 4000).max() < 5 * np.sqrt(4000)


def test_a_list_draws_its_own_pairs_whatever_the_others_are() -> None:
    gains = np.random.default_rng(3).random(40)
    offsets, alone, _ = sample(np.array([0, 20, 40]), gains)
    _, among, _ = sample(np.array([0, 20, 40]), np.concatenate([np.zeros(20), gains[20:]]))
    assert np.array_equal(alone[offsets[1] :], among)


def test_the_seed_decides_what_is_drawn() -> None:
    gains = np.random.default_rng(4).random(200)
    first, again, other = (sample(np.array([0, 200]), gains, seed, samples=500)[1] for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_equal_candidates_are_no_pair_even_without_a_threshold() -> None:
    assert Pairwise.build(pool_of([4], np.eye(4), np.full(4, 0.5)), Mean(), difference=0.0).pairs == 0


def test_the_minimum_is_that_of_logistic_regression_on_differences() -> None:
    pool = scored_pool(51, lists=80)
    objective = Pairwise.build(pool, Mean(), samples=200, kept=20)
    rows = objective.features.to_dense()
    differences = rows[objective.better] - rows[objective.worse]
    both = np.concatenate([differences, -differences])
    signs = np.repeat([1, -1], len(differences))
    # sklearn: |w|^2 / 2 + C * sum of the losses; ours: mean of the losses + l2 / 2 * |w|^2
    strength = 0.01
    peer = LogisticRegression(
        C=0.5 / (strength * len(differences)), fit_intercept=False, tol=1e-10, max_iter=10_000
    ).fit(both, signs)
    space = Space.build(pool.feature_names, l2=strength)
    optimizer = Lbfgs(tolerance=1e-14)
    state = optimizer.start(objective, space)
    while not state.done:
        state = optimizer.step(objective, space, state, lambda loss, weights: None)
    assert state.weights == pytest.approx(peer.coef_[0], rel=1e-4, abs=1e-5)


def test_only_candidates_in_pairs_are_held() -> None:
    pool = scored_pool(52, lists=40, most=30)
    objective = Pairwise.build(pool, Mean(), samples=20, kept=3)
    assert len(objective.features) == len(np.unique(np.concatenate([objective.better, objective.worse])))
    assert len(objective.features) < pool.n_candidates


@pytest.mark.parametrize(
    "option", [{"samples": 0}, {"kept": 0}, {"difference": -0.1}, {"difference": float("nan")}]
)
def test_senseless_options_are_refused(option: dict[str, float]) -> None:
    with pytest.raises(OptionError, match=f"{next(iter(option))} must be at least"):
        Pairwise.build(scored_pool(1), Mean(), **option)  # type: ignore[arg-type]


def test_a_pair_across_lists_is_refused() -> None:
    pool = pool_of([2, 2], np.ones((4, 1)), np.zeros(4))
    rows = pool.features
    loss = _native.pairwise_logistic(np.array([0, 1, 1]), np.array([0]), np.array([2]))
    with pytest.raises(InputError, match="a candidate of another list"):
        _native.list_loss(loss, pool.offsets, rows.offsets, rows.columns, rows.values, np.zeros(1), 1)
