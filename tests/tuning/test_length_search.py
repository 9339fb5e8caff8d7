"""The search along the length of candidates, against a fine grid."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from tests.random_pools import random_pool, scored_pool
from tests.tuning.runs import run_for, solve

from tunesmith.candidates.features import Features
from tunesmith.candidates.pool import Pool
from tunesmith.metrics.bleu import Bleu
from tunesmith.metrics.ter import Ter
from tunesmith.objectives.line_objective import Profile
from tunesmith.tuning import length_search
from tunesmith.tuning.length_search import length_direction, lengths_of, searched_length, steady_steps
from tunesmith.tuning.run import Solution


def with_words(pool: Pool) -> Pool:
    """Return the pool with one more feature, minus the number of words."""
    assert pool.texts is not None
    lengths = np.array([len(text.split()) for text in pool.texts], dtype=np.float64)
    matrix = np.column_stack([pool.features.to_dense(), -lengths])
    features = Features.from_dense(matrix, [*pool.feature_names, "words"])
    return dataclasses.replace(pool, features=features)


POOL = with_words(random_pool(5, lists=40, size=12))
WORDS = POOL.feature_names.index("words")


def gain(pool: Pool, weights: np.ndarray) -> float:
    return float(Bleu().score(pool.best_stats(Bleu(), weights, 1).sum(axis=0)))


def at(seed: int) -> Solution:
    weights = np.random.default_rng(seed).normal(size=POOL.features.width)
    return Solution(weights, 0.5, 1.0)


@pytest.mark.parametrize("seed", range(5))
def test_a_fine_grid_has_no_score_that_is_more_than_a_tenth_better(seed: int) -> None:
    start = at(seed)
    found = searched_length(run_for(POOL, metric=Bleu()), start)
    line = np.zeros_like(start.weights)
    line[WORDS] = -1.0
    grid = [gain(POOL, start.weights + bonus * line) for bonus in np.linspace(-5, 5, 401)]
    assert gain(POOL, found.weights) >= max(grid) - 0.001
    moved = found.weights - start.weights
    assert moved[WORDS] == pytest.approx(-found.notes["length_bonus"], abs=1e-6)  # type: ignore[operator]
    assert np.abs(np.delete(moved, WORDS)).max() < 1e-6
    assert (found.loss, found.start_loss) == (start.loss, start.start_loss)


def test_the_direction_is_the_least_squares_fit_of_lengths_within_lists(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lengths, free = lengths_of(Bleu(), POOL.stats(Bleu())), np.ones(POOL.features.width, dtype=bool)
    assert lengths is not None
    free[WORDS] = False
    sizes = np.diff(POOL.offsets)

    def centered(values: np.ndarray) -> np.ndarray:
        return values - np.repeat(np.add.reduceat(values, POOL.offsets[:-1]) / sizes[:, None], sizes, axis=0)

    monkeypatch.setattr(length_search, "LEAST_FIT", 0.0)
    rows, aim = centered(POOL.features.to_dense()[:, :WORDS]), centered(lengths[:, None])[:, 0]
    expected = np.linalg.lstsq(rows, aim, rcond=None)[0]
    found = length_direction(POOL, lengths, free)
    assert found[WORDS] == 0
    assert found[:WORDS] == pytest.approx(expected, abs=1e-6)
    monkeypatch.setattr(length_search, "FITTED", POOL.n_candidates // 3)
    free[WORDS] = True
    assert length_direction(POOL, lengths, free)[WORDS] == pytest.approx(-1.0, abs=1e-6)


def test_the_step_goes_to_the_middle_of_all_that_is_close_to_the_best() -> None:
    profile = Profile(np.array([-1.0, 0.0, 2.0, 4.0]), np.array([0.1, 0.4995, 0.3, 0.5, 0.2]))
    assert list(steady_steps(profile, (-np.inf, np.inf))) == [1.5, 3.0]
    assert list(steady_steps(profile, (-np.inf, 1.0))) == [-0.5, -0.5]
    assert list(steady_steps(Profile(np.empty(0), np.array([0.3])), (-1.0, 1.0))) == []


def test_a_middle_in_a_valley_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    start = at(3)
    best = searched_length(run_for(POOL, metric=Bleu()), start).notes["length_bonus"]
    assert isinstance(best, float)
    far = best - 50.0  # the shortest candidates win there
    monkeypatch.setattr(length_search, "steady_steps", lambda *_: iter([far, best]))
    assert searched_length(run_for(POOL, metric=Bleu()), start).notes["length_bonus"] == best


def test_features_that_say_little_of_the_length_are_not_searched() -> None:
    pool = random_pool(5, lists=40, size=12)
    lengths = lengths_of(Bleu(), pool.stats(Bleu()))
    assert lengths is not None
    assert not length_direction(pool, lengths, np.ones(pool.features.width, dtype=bool)).any()
    start = Solution(np.ones(pool.features.width), 0.5, 1.0)
    assert searched_length(run_for(pool, metric=Bleu()), start) is start


def test_frozen_weights_stay_and_bounds_hold() -> None:
    start = at(3)
    frozen = run_for(POOL, metric=Bleu(), frozen=["words"], start={"words": float(start.weights[WORDS])})
    assert searched_length(frozen, start).weights[WORDS] == start.weights[WORDS]
    low, high = start.weights[WORDS] - 0.01, start.weights[WORDS] + 0.01
    bounded = run_for(POOL, metric=Bleu(), bounds={"words": (low, high)}, start={"words": low})
    assert low <= searched_length(bounded, start).weights[WORDS] <= high


def test_lengths_come_from_any_bleu_of_a_metric() -> None:
    lengths = lengths_of(Bleu(), POOL.stats(Bleu()))
    assert np.array_equal(lengths, -POOL.features.to_dense()[:, WORDS])
    mixed = 0.5 * (1 - Ter()) + 0.5 * Bleu(order=2)
    assert np.array_equal(lengths_of(mixed, POOL.stats(mixed)), lengths)
    assert lengths_of(Ter(), POOL.stats(Ter())) is None


@pytest.mark.parametrize("method", ["pro", "pl"])
def test_methods_that_rank_sentences_search_the_length(method: str) -> None:
    plain, searched = (solve(method, run_for(POOL, metric=Bleu()), length_search=on) for on in (False, True))
    assert "length_bonus" not in plain.notes
    assert "length_bonus" in searched.notes
    assert gain(POOL, searched.weights) >= gain(POOL, plain.weights)
    other = scored_pool(1, lists=20)
    assert "length_bonus" not in solve(method, run_for(other)).notes


def test_threads_change_nothing() -> None:
    one, three = (searched_length(run_for(POOL, metric=Bleu(), threads=n), at(1)).weights for n in (1, 3))
    assert np.array_equal(one, three)
