"""Features of unlike scale: warnings, and learning from standardized features."""

from __future__ import annotations

import dataclasses
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.random_pools import lists_of, random_pool
from tests.toy_forests import random_forest_pool

from tunesmith import tune
from tunesmith.candidates import Pool, rerank
from tunesmith.candidates.features import Features
from tunesmith.errors import InputError, Message, OptionError
from tunesmith.metrics.bleu import Bleu
from tunesmith.metrics.precomputed import Precomputed
from tunesmith.tuning.method import METHODS, methods_for
from tunesmith.tuning.standardize import dense_deviations, spreads

POOL = random_pool(3, lists=30, size=8)
QUICK: dict[str, dict[str, Any]] = {
    "mert": {"restarts": 3},
    "mira": {"epochs": 5},
    "search": {"trials": 60},
}
FACTORS = np.array([1.0, 1024.0, 1.0, 1.0, 1 / 256, 1.0, 1.0])


class Killed(BaseException):
    """Stands for a signal: nothing catches it."""


def scaled(pool: Pool, factors: Any = FACTORS) -> Pool:
    """Multiply features; powers of two, so that nothing is rounded."""
    rows = pool.features
    values = rows.values * factors[rows.columns]
    return dataclasses.replace(pool, features=Features(rows.names, rows.offsets, rows.columns, values))


def test_the_spread_of_a_feature_is_its_deviation_within_the_lists_where_it_varies() -> None:
    found, matrix = spreads(POOL), POOL.features.to_dense()
    for place in range(matrix.shape[1]):
        varying = [matrix[rows, place] for rows in lists_of(POOL) if np.ptp(matrix[rows, place]) > 0]
        around = np.concatenate([values - values.mean() for values in varying])
        assert found.deviations[place] == pytest.approx(np.sqrt(np.mean(around**2)))
        assert found.shares[place] == pytest.approx(len(varying) / len(POOL))


def test_a_feature_that_is_the_same_within_every_list_has_no_spread() -> None:
    same = np.repeat(np.random.default_rng(1).normal(-100.0, 1.0, len(POOL)), np.diff(POOL.offsets))
    other = np.random.default_rng(2).normal(size=POOL.n_candidates)
    pool = dataclasses.replace(POOL, features=Features.from_dense(np.column_stack([same, other])))
    assert spreads(pool).deviations[0] == 0
    assert spreads(pool).shares[0] == 0
    assert tune(pool, "mira", standardize=True, epochs=2).weights.keys() == {"f0", "f1"}


@pytest.mark.parametrize("block", [1, 7, 1000])
def test_deviations_of_dense_features_are_their_spreads(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr("tunesmith.tuning.standardize.BLOCK", block)
    found, dense = dense_deviations(POOL), POOL.features.dense
    assert found[dense] == pytest.approx(spreads(POOL).deviations[dense], rel=1e-9)
    assert dense.any() and not found[~dense].any()
    rows = POOL.features
    none = Features(rows.names, np.zeros_like(rows.offsets), rows.columns[:0], rows.values[:0])
    assert not dense_deviations(dataclasses.replace(POOL, features=none)).any()


@pytest.mark.parametrize("method", methods_for(Pool))
def test_standardized_learning_ranks_the_same_whatever_the_scale_of_features(method: str) -> None:
    options = QUICK.get(method, {})
    start = {"f0": 0.5, "f2": -0.25}
    plain = tune(POOL, method, standardize=True, start=start, **options)
    other = tune(scaled(POOL), method, standardize=True, start=start, **options)
    assert other.score == pytest.approx(plain.score, abs=1e-9)
    assert other.best.loss == pytest.approx(plain.best.loss, rel=1e-6)
    for name, factor in zip(POOL.feature_names, FACTORS, strict=True):
        assert other.weights[name] * factor == pytest.approx(plain.weights[name], rel=1e-4, abs=1e-6)


@pytest.mark.parametrize("method", methods_for(Pool))
def test_reported_weights_are_of_the_original_features_within_their_constraints(method: str) -> None:
    pool = scaled(random_pool(4, lists=60, size=10))
    bounds = {"f2": (0.0, 0.3), "s*": (-0.1, 0.1)}
    result = tune(
        pool,
        method,
        standardize=True,
        start={"f0": 0.5, "f1": 0.1},
        frozen=["f1"],
        bounds=bounds,
        **QUICK.get(method, {}),
    )
    assert result.weights["f1"] == 0.1
    assert 0.0 <= result.weights["f2"] <= 0.3
    assert all(-0.1 <= result.weights[f"s{i}"] <= 0.1 for i in range(4))
    stats = pool.stats(Bleu())[rerank(pool, result.weights).rows]
    assert result.score == float(Bleu().score(stats.sum(axis=0)))
    assert result.to_dict()["notes"]["standardized"] == "all"


def test_penalties_apply_to_standardized_weights() -> None:
    strong = [tune(pool, "cll", standardize=True, l1=3.0, l2=0.0) for pool in (POOL, scaled(POOL))]
    zero = [{name for name, weight in result.weights.items() if weight == 0} for result in strong]
    assert zero[0] == zero[1] != set()
    plain = tune(scaled(POOL), "cll", l1=3.0, l2=0.0)
    assert {name for name, weight in plain.weights.items() if weight == 0} != zero[0]


def test_standardizing_goes_with_folds_and_replicas() -> None:
    pool = scaled(POOL)
    options: dict[str, Any] = {"epochs": 3, "replicas": 2, "folds": 2}
    result = tune(pool, "mira", standardize=True, **options)
    again = tune(POOL, "mira", standardize=True, **options)
    assert result.cross_validation == again.cross_validation
    assert tune(pool, "mira", standardize=False, **options).weights != result.weights


def test_mira_standardizes_dense_features_by_default() -> None:
    dense = [name for name, own in zip(POOL.feature_names, POOL.features.dense, strict=True) if own]
    assert 0 < len(dense) < len(POOL.feature_names)
    factors = np.where(POOL.features.dense, 64.0, 1.0)
    by_default, other = (tune(pool, "mira", epochs=3) for pool in (POOL, scaled(POOL, factors)))
    assert by_default.to_dict()["notes"]["standardized"] == "dense"
    assert other.score == by_default.score
    assert by_default.weights != tune(POOL, "mira", standardize=True, epochs=3).weights
    assert by_default.weights != tune(POOL, "mira", standardize=False, epochs=3).weights
    assert {
        name: method.standardizes for name, method in METHODS.items() if method.standardizes != "none"
    } == {"mira": "dense"}


@pytest.mark.filterwarnings("ignore:.*is not continued")
def test_a_standardized_run_resumes_but_not_from_a_plain_one(tmp_path: Path) -> None:
    def die(record) -> None:
        if record["iteration"] == 3:
            raise Killed

    whole = tune(POOL, "mira", standardize=True, epochs=6)
    for standardize, steps in ((True, 3), (False, 6)):
        path = tmp_path / f"{standardize}.jsonl"
        with pytest.raises(Killed):
            tune(POOL, "mira", standardize=standardize, epochs=6, history=path, watch=die)
        left: list[Any] = []
        found = tune(POOL, "mira", standardize=True, epochs=6, history=path, watch=left.append)
        assert (found.weights, found.history) == (whole.weights, whole.history)
        assert len(left) in (steps, steps + 1)


def test_unlike_scales_are_warned_of_with_the_names_and_what_to_do() -> None:
    plain: dict[str, Any] = {"epochs": 2, "standardize": False}
    (told,) = (text for text in tune(scaled(POOL), "mira", **plain).warnings if "varies" in text)
    assert told.startswith("'f1' varies ")
    narrowest = min(("f0", "f2"), key=lambda name: spreads(POOL).deviations[int(name[1])])
    assert f"as much within lists as '{narrowest}' (standard deviations" in told
    assert told.endswith("try standardize dense")  # the default of mira
    assert isinstance(told, Message) and told.spelled("--{}".format).endswith("try --standardize dense")
    for method, options in [("mira", {}), ("mert", {"restarts": 1}), ("cll", {"l2": 0.0})]:
        found = tune(scaled(POOL), method, **options).warnings
        assert not any("varies" in text for text in found), method
    (other,) = (text for text in tune(scaled(POOL), "cll").warnings if "varies" in text)
    assert other.endswith("try standardize all")
    assert not any("varies" in text for text in tune(POOL, "mira", **plain).warnings)
    sparse = scaled(POOL, np.array([1, 1, 1, 1, 1e-6, 1, 1]))
    assert not any("varies" in text for text in tune(sparse, "mira", **plain).warnings)
    frozen = tune(scaled(POOL), "mira", **plain, frozen=["f1"]).warnings
    assert not any("varies" in text for text in frozen)


@pytest.mark.parametrize("frozen", ["f0", "f1"])
def test_frozen_features_with_a_weight_are_compared_too(frozen: str) -> None:
    given: dict[str, Any] = {"start": {"f0": 1.0, "f1": 0.001}, "frozen": [frozen]}
    told = tune(scaled(POOL), "mira", epochs=2, standardize=False, **given).warnings
    assert any("'f1' varies" in text and text.endswith("try standardize dense") for text in told)


def test_a_method_says_whether_it_depends_on_the_scale_of_features() -> None:
    depends = {name: METHODS[name]().depends_on_scale(penalized=False) for name in methods_for(Pool)}
    assert {name for name, value in depends.items() if value} == {"mira", "search"}
    assert all(METHODS[name]().depends_on_scale(penalized=True) for name in methods_for(Pool))
    assert METHODS["risk"](optimizer="sgd").depends_on_scale(penalized=False)


def test_forests_are_not_standardized() -> None:
    with pytest.raises(OptionError, match="standardize needs candidate lists, not forests"):
        tune(random_forest_pool(11, sentences=5), standardize=True)


def test_start_weights_that_overflow_are_refused_by_name_and_bounds_are_none() -> None:
    matrix = np.random.default_rng(1).normal(size=(10, 4, 2)) * 1000
    pool = Pool.from_arrays(matrix, names=["am", "lm"], scores={"gain": matrix[:, :, 0]})
    gain = Precomputed("gain", higher_is_better=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        with pytest.raises(InputError, match=r"the start weight 1e[+]308 of 'am' is too large"):
            tune(pool, "mira", gain, start={"am": 1e308, "lm": 1e308}, standardize=True)
        found = tune(pool, "mira", gain, bounds={"am": (-1e308, 1e308)}, standardize=True)
    assert found.weights["am"] > 0


def test_the_mean_of_both_ways_is_for_loops() -> None:
    with pytest.raises(OptionError, match="standardize can be 'mean' in tuning loops only"):
        tune(POOL, "mira", standardize="mean")  # type: ignore[arg-type]
