"""The feature matrix: several products at once, and other columns."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from tests.random_pools import random_pool

from tunesmith.candidates.features import Features
from tunesmith.errors import InputError


@cache
def many_features() -> Features:
    return random_pool(1, lists=2000, sparse=30).features


@pytest.mark.slow
@pytest.mark.parametrize("vectors", [1, 7, 8, 9, 17])
@pytest.mark.parametrize("threads", [1, 3])
def test_several_products_are_those_of_each_vector_to_the_last_bit(vectors: int, threads: int) -> None:
    features = many_features()
    weights = np.random.default_rng(2).normal(size=(vectors, features.width))
    together = features.dots(weights, threads)
    assert together.shape == (vectors, len(features))
    for found, vector in zip(together, weights, strict=True):
        assert found.tobytes() == features.dot(vector).tobytes()


def test_weights_of_another_width_are_refused() -> None:
    features = Features.from_dense([[1.0, 2.0]])
    for weights in (np.ones((2, 3)), np.ones((1, 1))):
        with pytest.raises(InputError, match="expected 2 weights"):
            features.dots(weights)
    with pytest.raises(InputError, match="score of candidate 0 is inf"):
        features.dots(np.array([[1.0, 1e308], [0.0, 1.0]]))
    assert features.dots(np.ones((0, 2))).shape == (0, 1)


def test_a_feature_with_values_needs_a_column() -> None:
    features = Features.from_dense([[1.0, 2.0]], ["f", "g"])
    assert features.renumbered(("g", "h", "f")).to_dense().tolist() == [[2.0, 0.0, 1.0]]
    assert features.renumbered(features.names) is features
    with pytest.raises(InputError, match="feature 'g' has values, but no column"):
        features.renumbered(("f",))
    assert features.take([]).renumbered(("f",)).names == ("f",)
