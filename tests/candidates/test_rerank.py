from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.random_pools import random_pool

from tunesmith.candidates import Pool, rerank
from tunesmith.consensus import consensus_rule
from tunesmith.errors import InputError
from tunesmith.weights import Weights

DENSE = Pool.from_arrays(
    np.array([[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 1.0]]]),
    names=["a", "b"],
    texts=[["p", "q"], ["r", "s"]],
)


def test_the_best_candidates_come_with_places_texts_and_scores() -> None:
    best = rerank(DENSE, {"b": 2.0, "a": 1.0})
    assert best.indices.tolist() == [1, 1]
    assert best.rows.tolist() == [1, 3]
    assert best.texts == ["q", "s"]
    assert best.scores.tolist() == [2.0, 3.0]
    assert best.unused == ()
    assert rerank(DENSE, np.array([1.0, 2.0])).rows.tolist() == [1, 3]


def test_weights_may_be_the_path_of_a_file(tmp_path: Path) -> None:
    Weights({"a": 1.0, "b": 2.0}).write(tmp_path / "w.json")
    for path in (tmp_path / "w.json", str(tmp_path / "w.json")):
        assert rerank(DENSE, path).texts == ["q", "s"]
        assert consensus_rule("mbr", scale=1.0).over_pool(DENSE, path).texts == ["q", "s"]
        assert consensus_rule("fast", scale=1.0).over_pool(DENSE, path).texts == ["q", "s"]
    with pytest.raises(InputError, match=r"no-such\.json"):
        rerank(DENSE, "no-such.json")
    with pytest.raises(InputError, match=r"expected weights by name, .* found list"):
        rerank(DENSE, [1.0, 2.0])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("weights", "complaint"),
    [
        ({"a": 0.0, "b": 0.0}, "nothing to rank by"),
        (np.zeros(2), "nothing to rank by"),
        (np.array([1.0, np.nan]), "the weight of 'b' is nan; expected a finite number"),
        (np.array([np.inf, 1.0]), "the weight of 'a' is inf; expected a finite number"),
        (np.ones(3), r"expected 2 weights, found an array of shape \(3,\)"),
        ({"a": 1.0}, "no weight for feature 'b'"),
        ({"a": 1.0, "b": 1.0, "bb": 1.0}, "unknown feature 'bb' in the weights; did you mean 'b'"),
    ],
)
def test_weights_that_cannot_rank_are_refused(weights: Any, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        rerank(DENSE, weights)


def test_weights_of_sparse_features_that_never_occur_are_told() -> None:
    pool = random_pool(1)
    weights = {"f0": 1.0, "f1": 0.0, "f2": 0.0}
    best = rerank(pool, weights | {"x": 1.0, "s0": 0.5, "y": 2.0})
    assert best.unused == ("x", "y")
    assert best.rows.tolist() == rerank(pool, weights | {"s0": 0.5}).rows.tolist()
    with pytest.raises(InputError, match="nothing to rank by"):
        rerank(pool, {"f0": 0.0, "f1": 0.0, "f2": 0.0, "x": 1.0})
