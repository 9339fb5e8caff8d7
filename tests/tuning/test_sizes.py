"""Sizes that learning finds itself: of start weights, of frozen ones, and of bounds beside them."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from experiments.methods.speech import speech_pool

from tunesmith import tune
from tunesmith.candidates import Pool
from tunesmith.candidates.features import Features
from tunesmith.errors import TunesmithWarning
from tunesmith.metrics import get_metric
from tunesmith.optimizers.line_search import MOST_AXES
from tunesmith.tuning.result import TuneResult
from tunesmith.tuning.run import still_improves
from tunesmith.tuning.warn import HARDLY_COUNT

POOL = speech_pool(5, lists=80, size=20)
WER = get_metric("wer")
SMOOTH = ("corpus-risk", "risk", "pl", "pro", "cll")


def tuned(method: str, pool: Pool = POOL, **options: Any) -> TuneResult:
    return tune(pool, method, "wer", threads=1, **options)


def with_feature(name: str, values: Any) -> Pool:
    """The lists with one more dense feature."""
    rows = np.column_stack([POOL.features.to_dense(), values])
    return replace(POOL, features=Features.from_dense(rows, (*POOL.feature_names, name)))


@pytest.mark.parametrize("method", ["mira", *SMOOTH])
def test_bounds_beside_frozen_weights_hold_in_the_size_of_these(method: str) -> None:
    bounds = {"lm": (0.0, 4.0), "words": (None, 9.0)}
    for size in (1.0, 1000.0):
        start = {"acoustic": size}
        sized: Any = {name: (low, size * high) for name, (low, high) in bounds.items()}
        found = tuned(method, start=start, frozen=["acoustic"], bounds=sized).weights
        assert found["acoustic"] == size
        assert 0.0 <= found["lm"] <= 4.0 * size and found["words"] <= 9.0 * size
        assert found["lm"] > 2.0 * size


@pytest.mark.parametrize("method", ["mira", *SMOOTH])
def test_bounds_that_exclude_nothing_do_not_matter(method: str) -> None:
    given: Any = {"start": {"acoustic": 2.0}, "frozen": ["acoustic"]}
    wide = tuned(method, bounds={"lm": (-1000.0, 1000.0)}, **given)
    assert wide.weights == tuned(method, **given).weights


@pytest.mark.parametrize("method", ["mira", *SMOOTH])
def test_start_weights_and_bounds_of_another_size_give_weights_of_that_size(method: str) -> None:
    small, large = (
        tuned(method, start={"acoustic": size, "lm": size}, bounds={"lm": (0.0, 5.0 * size)}).weights
        for size in (1.0, 1024.0)
    )
    assert dict(large) == pytest.approx({name: 1024.0 * weight for name, weight in small.items()}, rel=1e-3)
    assert small["lm"] <= 5.0


@pytest.mark.parametrize("method", ["mira", *SMOOTH])
def test_frozen_weights_that_rank_nothing_keep_their_relation_to_the_start(method: str) -> None:
    unknown = np.repeat(np.arange(len(POOL)) % 3, np.diff(POOL.offsets)) * -100.0
    pool = with_feature("unknown", unknown)
    found = []
    for size in (1.0, 256.0):
        start = {"acoustic": size, "lm": size, "unknown": size}
        found.append(tuned(method, pool, start=start, frozen=["unknown"]).weights)
        assert found[-1]["unknown"] == size
    assert found[1]["lm"] == pytest.approx(256.0 * found[0]["lm"], rel=1e-3)


@pytest.mark.parametrize("method", ["mira", "corpus-risk", "pro"])
def test_several_frozen_weights_keep_their_relation(method: str) -> None:
    right = {"acoustic": 1.0, "lm": 14.0}
    found = tuned(method, start=right, frozen=list(right))
    assert {name: found.weights[name] for name in right} == right
    assert found.score < tuned(method, start={"acoustic": 1.0, "lm": 1.0}, frozen=list(right)).score


@pytest.mark.parametrize("method", SMOOTH)
def test_a_frozen_weight_of_the_wrong_sign_is_told(method: str) -> None:
    found = tuned(method, start={"acoustic": -1.0}, frozen=["acoustic"])
    assert found.weights["acoustic"] == -1.0
    assert HARDLY_COUNT in found.warnings


@pytest.mark.parametrize("l1", [0.0, 0.1])
def test_penalties_count_frozen_weights_with_their_learned_size(l1: float) -> None:
    """So a weight that is frozen is learned as if it were free, up to the size of all."""
    free, frozen = (
        tuned("corpus-risk", start={"acoustic": 3.0}, frozen=names, l1=l1, l2=5.0)
        for names in ([], ["acoustic"])
    )
    relation = 3.0 / free.weights["acoustic"]
    assert frozen.weights["lm"] == pytest.approx(relation * free.weights["lm"], rel=0.01)
    assert frozen.best.loss == pytest.approx(free.best.loss, rel=1e-4)


@pytest.mark.parametrize(
    ("method", "options", "told"),
    [
        ("mira", {"epochs": 10, "c": 1e-3, "start": {"lm": 1.0, "words": -5.0}}, "raise epochs"),
        ("corpus-risk", {"optimizer_iterations": 3, "temperatures": 1}, "raise optimizer_iterations"),
        ("cll", {"optimizer_iterations": 3}, "raise optimizer_iterations"),
        (
            "risk",
            {"optimizer": "adagrad", "optimizer_iterations": 3, "rate": 1e-3},
            "raise optimizer_iterations",
        ),
    ],
)
def test_a_run_that_ends_while_it_improves_says_so(method: str, options: Any, told: str) -> None:
    assert any(text.endswith(told) for text in tuned(method, **options).warnings)
    assert not any("still improved" in text for text in tuned(method).warnings)


def test_a_run_improves_if_its_last_tenth_does() -> None:
    assert still_improves([9.0, *(5.0 - 0.1 * number for number in range(20))])
    assert not still_improves([9.0, *(5.0 + 0.1 * number for number in range(20))])
    assert not still_improves([9.0, 5.0, *(1.0 - 1e-3 * number for number in range(18))])
    assert not still_improves([9.0, 1.0])


def test_line_searches_over_many_features_tell_before_they_start() -> None:
    noise = np.random.default_rng(1).random((POOL.n_candidates, MOST_AXES))
    rows = np.column_stack([POOL.features.to_dense(), noise])
    names = (*POOL.feature_names, *(f"noise{number}" for number in range(MOST_AXES)))
    pool = replace(POOL, features=Features.from_dense(rows, names))
    seen: list[object] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", TunesmithWarning)
        tuned("mert", pool, restarts=0, rounds=1, watch=lambda record: seen.extend(caught))
    assert any("searches 500 of their axes" in str(each.message) for each in seen[:5])  # type: ignore[attr-defined]


def test_the_selected_iteration_is_within_bounds_beside_frozen_weights() -> None:
    """Iterations before the bounds came into force are not selected."""
    given: Any = {"start": {"acoustic": 1.0}, "frozen": ["acoustic"], "bounds": {"lm": (0.0, 4.0)}}
    found = tuned("mira", select="metric", **given)
    unbounded = tuned("mira", start={"acoustic": 1.0}, frozen=["acoustic"])
    assert found.weights["lm"] <= 4.0 < unbounded.weights["lm"]
    scores = POOL.best_stats(WER, np.array(list(found.weights.values()))).sum(axis=0)
    assert found.score == pytest.approx(float(WER.score(scores)))
