"""The rank of features, against dense linear algebra."""

from __future__ import annotations

import itertools
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.random_pools import random_pool

from tunesmith import tune
from tunesmith.candidates import Pool
from tunesmith.tuning import feature_rank as module
from tunesmith.tuning.feature_rank import feature_rank
from tunesmith.tuning.resample import richness


def pool_of(features: np.ndarray, sizes: list[int]) -> Pool:
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    names = [f"f{column}" for column in range(features.shape[1])]
    texts = [str(row) for row in range(len(features))]
    return Pool.from_arrays(
        features, offsets=offsets, names=names, texts=texts, references=[["0"] * len(sizes)]
    )


def dense_rank(features: np.ndarray, sizes: list[int]) -> int:
    parts = np.split(features, np.cumsum(sizes)[:-1])
    return int(np.linalg.matrix_rank(np.concatenate([part - part.mean(axis=0) for part in parts]), tol=1e-6))


@given(
    sizes=st.lists(st.integers(1, 5), min_size=1, max_size=6),
    dimensions=st.integers(1, 4),
    width=st.integers(1, 8),
    seed=st.integers(0, 99),
    at_once=st.sampled_from([1, 4, 4096]),
)
def test_the_rank_is_that_of_deviations_within_lists(sizes, dimensions, width, seed, at_once) -> None:
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(sum(sizes), dimensions)) @ rng.normal(size=(dimensions, width))
    features[:, 0] += np.repeat(1000.0 * np.arange(len(sizes)), sizes)  # constant in each list
    with mock.patch.object(module, "ROWS", at_once):
        assert feature_rank(pool_of(features, sizes)) == dense_rank(features, sizes)


def test_the_grouped_length_features_of_the_paper_span_forty_dimensions() -> None:
    rng = np.random.default_rng(1)
    by_length = rng.normal(size=(300, 4, 10)) * rng.integers(0, 2, size=(300, 1, 10))
    ranges = [(a, b) for a, b in itertools.product(range(10), repeat=2) if a <= b]
    features = np.concatenate([by_length[:, :, a : b + 1].sum(axis=2) for a, b in ranges], axis=1)
    pool = pool_of(features, [10] * 30)
    assert (len(pool.feature_names), feature_rank(pool)) == (220, 40)
    assert richness(pool) == 22.0


def test_frozen_features_and_features_that_never_vary_do_not_count() -> None:
    features = np.array([[1.0, 2.0, 7.0], [2.0, 1.0, 7.0], [0.0, 1.0, 5.0], [4.0, 0.0, 5.0]])
    pool = pool_of(features, [2, 2])
    assert feature_rank(pool) == 2
    assert feature_rank(pool, np.array([True, False, True])) == 1
    assert feature_rank(pool, np.array([False, False, True])) == 0


def test_pl_reports_the_rank_beside_the_number_of_features(monkeypatch) -> None:
    pool = random_pool(1, lists=12, size=6)
    notes = tune(pool, "pl", optimizer_iterations=3, threads=1).best.notes
    assert (notes["features"], notes["rank"]) == (len(pool.feature_names), feature_rank(pool))
    monkeypatch.setattr(module, "MOST_FEATURES", 2)
    assert feature_rank(pool) is None


@pytest.mark.parametrize("scale", [1e-9, 1e9])
def test_the_scale_of_a_feature_does_not_matter(scale) -> None:
    features = np.random.default_rng(3).normal(size=(8, 3))
    features[:, 1] *= scale
    assert feature_rank(pool_of(features, [4, 4])) == 3
