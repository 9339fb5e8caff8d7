"""The profile along a line against scoring the pool at many points of it."""

from itertools import pairwise

import numpy as np
import pytest
from tests.random_pools import random_pool

from tunesmith.candidates import Pool
from tunesmith.candidates.features import Features
from tunesmith.metrics.bleu import Bleu
from tunesmith.objectives.corpus_error import CorpusError
from tunesmith.objectives.line_objective import Profile
from tunesmith.texts import Texts


def gain_at(profile: Profile, gamma: float) -> float:
    return float(profile.gains[np.searchsorted(profile.thresholds, gamma)])


def along_axis(objective: CorpusError, scores: np.ndarray, feature: int) -> Profile:
    return objective.at(scores).along(feature)


@pytest.mark.parametrize("seed", range(20))
def test_the_profile_along_an_axis_equals_reranking_at_every_interval(seed: int) -> None:
    pool, rng = random_pool(seed), np.random.default_rng(seed)
    objective = CorpusError.build(pool, Bleu())
    weights = rng.normal(size=pool.features.width)
    for axis in range(pool.features.width):
        profile = along_axis(objective, objective.scores(weights), axis)
        direction = np.eye(pool.features.width)[axis]
        check_by_reranking(objective, profile, weights, direction)


@pytest.mark.parametrize("seed", range(20))
def test_the_profile_along_a_random_direction_equals_reranking_at_every_interval(seed: int) -> None:
    pool, rng = random_pool(seed), np.random.default_rng(seed)
    objective = CorpusError.build(pool, Bleu())
    weights, direction = rng.normal(size=(2, pool.features.width))
    check_by_reranking(objective, objective.evaluate(weights).along(direction), weights, direction)


def check_by_reranking(objective, profile, weights, direction) -> None:
    ends = np.concatenate([[profile.thresholds[0] - 1], profile.thresholds, [profile.thresholds[-1] + 1]])
    assert (np.diff(profile.thresholds) > 0).all()
    for left, right in pairwise(ends):
        if right - left > 1e-9:
            middle = (left + right) / 2
            assert gain_at(profile, middle) == pytest.approx(
                -objective.loss(weights + middle * direction), abs=1e-12
            )


def test_an_axis_and_the_same_direction_as_a_vector_have_the_same_profile() -> None:
    pool = random_pool(3, lists=40, size=9)
    objective = CorpusError.build(pool, Bleu())
    scores = objective.scores(np.ones(pool.features.width))
    for axis in range(pool.features.width):
        by_axis = along_axis(objective, scores, axis)
        by_vector = objective.at(scores).along(np.eye(pool.features.width)[axis])
        np.testing.assert_allclose(by_axis.thresholds, by_vector.thresholds, atol=1e-12)
        np.testing.assert_array_equal(by_axis.gains, by_vector.gains)


def test_directions_whose_slopes_are_kept_have_the_same_profile() -> None:
    pool, rng = random_pool(3, lists=40, size=9), np.random.default_rng(4)
    objective = CorpusError.build(pool, Bleu())
    evaluated = objective.evaluate(np.ones(pool.features.width))
    vectors = list(rng.normal(size=(9, pool.features.width)))
    for vector, prepared in zip(vectors, objective.prepare_directions(vectors), strict=True):
        kept, computed = evaluated.along(prepared), evaluated.along(vector)
        assert np.array_equal(kept.thresholds, computed.thresholds)
        assert np.array_equal(kept.gains, computed.gains)
    assert objective.prepare_directions([]) == []


@pytest.mark.parametrize("seed", range(5))
def test_a_step_leads_to_where_its_weights_stand(seed: int) -> None:
    pool, rng = random_pool(seed, lists=20), np.random.default_rng(seed)
    width = pool.features.width
    objective = CorpusError.build(pool, Bleu())
    weights = rng.normal(size=width)
    for axis in range(width):
        moved = objective.evaluate(weights).moved(axis, -0.7, 3.0)
        there = objective.evaluate(3.0 * (weights - 0.7 * np.eye(width)[axis]))
        assert moved.gain == there.gain
        np.testing.assert_allclose(moved.scores, there.scores, rtol=1e-12, atol=1e-12)
        assert np.array_equal(moved.winners, there.winners)


def test_identical_candidates_are_won_by_the_first_as_in_reranking() -> None:
    texts = ["a b c d x", "a b c d e", "a b c d e"]
    features = Features.from_dense([[1.0, 2.0], [1.0, 2.0], [0.0, 1.0]])
    pool = Pool(("0",), np.array([0, 3]), features, Texts.of(texts), (Texts.of(["a b c d e"]),))
    objective = CorpusError.build(pool, Bleu())
    profile = along_axis(objective, objective.scores(np.array([1.0, 1.0])), 0)
    assert profile.thresholds.tolist() == [-2.0]
    right = -objective.loss(np.array([5.0, 1.0]))
    assert right < 1.0  # the first of the two identical candidates, not the better one
    assert profile.gains.tolist() == [1.0, pytest.approx(right)]


def test_tied_thresholds_of_several_lists_change_the_gain_together() -> None:
    features = Features.from_dense([[0.0, 1.0], [1.0, 0.0]] * 3)
    texts = ["a b c d e", "a b c d x"] * 3
    pool = Pool(
        ("0", "1", "2"), np.array([0, 2, 4, 6]), features, Texts.of(texts), (Texts.of(["a b c d e"] * 3),)
    )
    objective = CorpusError.build(pool, Bleu())
    profile = along_axis(objective, objective.scores(np.array([0.0, 1.0])), 0)
    assert profile.thresholds.tolist() == [1.0]
    assert len(profile.gains) == 2


def test_lists_of_one_candidate_have_a_constant_profile() -> None:
    pool = random_pool(5, size=1)
    objective = CorpusError.build(pool, Bleu())
    profile = along_axis(objective, objective.scores(np.ones(pool.features.width)), 0)
    assert len(profile.thresholds) == 0
    assert profile.gains.tolist() == [-objective.loss(np.ones(pool.features.width))]
