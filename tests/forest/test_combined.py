"""Forests with several weighted features combined into one."""

from __future__ import annotations

import numpy as np
import pytest
from tests.toy_forests import FEATURES, random_forest_pool

from tunesmith.forest.combined import with_combined_feature


def test_a_combined_feature_scores_edges_as_the_features_it_stands_for() -> None:
    pool = random_forest_pool(3)
    weights = dict(zip(FEATURES, (0.5, -1.0, 0.0, 2.0), strict=True))
    kept = np.array([name in ("lm", "length") for name in pool.feature_names])
    held = np.array(
        [0.0 if keep else weights[name] for name, keep in zip(pool.feature_names, kept, strict=True)]
    )
    made = with_combined_feature(pool, held, kept, "sum")
    own = {name: weights[name] if name in ("lm", "length") else 0.0 for name in FEATURES} | {"sum": 3.0}
    expected = {
        name: weight if name in ("lm", "length") else 3.0 * weight for name, weight in weights.items()
    }
    assert made.ids == pool.ids
    for before, after in zip(pool.forests, made.forests, strict=True):
        assert after.scores(own, missing=0.0) == pytest.approx(before.scores(expected, missing=0.0), rel=1e-6)
        for edge in range(after.edge_count):
            assert set(after.edge(edge).features) <= {"lm", "length", "sum"}
            assert after.edge(edge).target == before.edge(edge).target
