"""No method depends on the size of start weights, nor on that of frozen ones, of lists and of forests."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import pytest
from experiments.methods.speech import speech_pool
from tests.toy_forests import FEATURES, random_forest_pool

from tunesmith import tune
from tunesmith.candidates import Pool
from tunesmith.tuning.method import METHODS
from tunesmith.tuning.result import TuneResult
from tunesmith.tuning.score_spread import mean_deviation

SIZES = (1e-3, 1e3, 1e6)
CLOSE = 2e-3
"""A fifth of a point of the metric."""

SPEECH = {"acoustic": 1.0, "lm": 1.0}
"""With these weights, the language model hardly counts."""
FOREST = {name: 0.3 + 0.2 * number for number, name in enumerate(FEATURES)}


def of_lists(method: str) -> bool:
    return METHODS[method].learns_from is Pool


@cache
def data_of(method: str) -> Any:
    return speech_pool(5, lists=80, size=20) if of_lists(method) else random_forest_pool(11, sentences=30)


@cache
def tuned(method: str, size: float | None, frozen: str = "") -> TuneResult:
    """Tune from start weights of a size, or without any."""
    given = SPEECH if of_lists(method) else FOREST
    start = None if size is None else {name: size * weight for name, weight in given.items()}
    metric = "wer" if of_lists(method) else "bleu(order=2)"
    return tune(
        data_of(method),
        method,
        metric,
        start=start,
        frozen=(frozen,) if frozen else (),
        threads=1,
        **({"restarts": 3} if method == "mert" else {}),
    )


def with_rare_feature(pool: Pool) -> Pool:
    """Return the lists with a feature that the last candidate of the first list alone has."""
    last = np.arange(len(pool.features)) == pool.offsets[1] - 1
    return pool.with_features({"rare": last.astype(float)})


def spread(pool: Pool, weights: Mapping[str, float]) -> float:
    """Return by how much scores vary within lists."""
    names = pool.feature_names
    return mean_deviation(pool, pool.features.dot(np.array([weights.get(name, 0.0) for name in names])))


@pytest.mark.parametrize("method", list(METHODS))
@pytest.mark.parametrize("size", SIZES)
def test_the_size_of_start_weights_does_not_matter(method: str, size: float) -> None:
    assert tuned(method, size).score == pytest.approx(tuned(method, 1.0).score, abs=CLOSE)


@pytest.mark.parametrize("method", list(METHODS))
@pytest.mark.parametrize("size", SIZES)
def test_the_size_of_frozen_weights_does_not_matter_and_they_stay_as_given(method: str, size: float) -> None:
    frozen = "acoustic" if of_lists(method) else "tm"
    found = tuned(method, size, frozen)
    assert found.weights[frozen] == size * (SPEECH | FOREST)[frozen]
    assert found.score == pytest.approx(tuned(method, 1.0, frozen).score, abs=CLOSE)


@pytest.mark.parametrize(
    "method", [name for name in METHODS if of_lists(name) and METHODS[name].sizes_frozen]
)
def test_beside_a_frozen_weight_that_ranks_few_lists_weights_keep_the_size_of_their_start(
    method: str,
) -> None:
    pool = with_rare_feature(data_of(method))
    start = {name: 1e3 * weight for name, weight in SPEECH.items()} | {"rare": 1.0}
    found = tune(pool, method, "wer", start=start, frozen=("rare",), threads=1)
    assert found.weights["rare"] == 1.0
    for _ in range(3):  # as a loop would
        found = tune(pool, method, "wer", start=found.weights, frozen=("rare",), threads=1)
    assert spread(pool, found.weights) == pytest.approx(spread(pool, start))


@pytest.mark.parametrize("method", [name for name in METHODS if of_lists(name) and name != "search"])
def test_one_frozen_weight_of_the_right_sign_costs_next_to_nothing(method: str) -> None:
    free, frozen = tuned(method, None), tuned(method, 1.0, "acoustic")
    assert frozen.score <= free.score + CLOSE
