"""Steps on a weight store against the formulas in plain Python."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tunesmith import _native
from tunesmith.weights import WeightStore


def vector(values: dict[str, float]) -> _native.FeatureVector:
    return _native.FeatureVector.of(list(values), np.array(list(values.values())))


def random_vectors(seed: int, steps: int = 30) -> list[dict[str, float]]:
    random = np.random.default_rng(seed)
    return [
        {f"f{i}": float(random.normal()) for i in np.flatnonzero(random.random(6) < 0.5)} or {"f0": 1.0}
        for _ in range(steps)
    ]


def test_adaptive_rates_follow_the_squared_differences() -> None:
    store = WeightStore.of({"f0": 0.5, "f1": -1.0})
    weights, rates = {"f0": 0.5, "f1": -1.0}, {}
    for number, d in enumerate(random_vectors(1)):
        loss = 0.3 + number
        norm2 = sum(value * value for value in d.values())
        alpha = _native.passive_aggressive_step(store.native, vector(d), loss, 0.2, 0.7, 0.05, number)
        assert alpha == min(0.2, loss / norm2)  # the plain norm, whatever the rates are
        for name, value in d.items():
            rates[name] = rates.get(name, 1.0) + 0.05 * value * value
            weights[name] = weights.get(name, 0.0) + alpha * 0.7 * value / math.sqrt(rates[name])
    assert dict(store.items()) == pytest.approx(weights)
    assert dict(zip(store, store.native.rates().tolist(), strict=True)) == pytest.approx(
        {name: rates.get(name, 1.0) for name in store}
    )


@pytest.mark.parametrize("begin", [0.0, 0.25])
def test_rates_begin_where_the_pass_says(begin: float) -> None:
    """With 0, a first step does not depend on the size of a difference, only on its sign."""
    store = WeightStore.of({"f0": 0.5, "f1": -1.0})
    _native.begin_pass(store.native, None, begin)
    weights, rates = {"f0": 0.5, "f1": -1.0}, {}
    for number, d in enumerate(random_vectors(5)):
        _native.move_weights(store.native, vector(d), 0.3, 1.0, 0.04, number)
        for name, value in d.items():
            is_first = name not in rates
            rates[name] = rates.get(name, begin) + 0.04 * value * value
            step = 0.3 * value / math.sqrt(rates[name])
            assert not is_first or begin > 0 or step == pytest.approx(math.copysign(0.3 / 0.2, value))
            weights[name] = weights.get(name, 0.0) + step
    assert dict(store.items()) == pytest.approx(weights)
    again = WeightStore()
    _native.begin_pass(again.native, store.native, begin)
    assert again.native.rates().tolist() == store.native.rates().tolist()


def test_features_without_a_history_have_no_penalty_if_rates_begin_at_0() -> None:
    store = WeightStore.of({"idle": 0.01, "f": 1.0})
    _native.begin_pass(store.native, None, 0.0)
    _native.adagrad_step(store.native, vector({"f": 2.0}), 0.1, 0.5, 3)
    assert store["f"] == pytest.approx(1.0 + 0.5 * 2.0 / 2.0 - 0.5 * 0.1 / 2.0)
    _native.settle_penalties(store.native, 0.1, 0.5, 6)
    assert store["f"] == pytest.approx(1.475 - 2 * 0.025)
    assert store["idle"] == 0.01


def test_weights_are_restored_as_if_no_step_had_touched_them() -> None:
    store, first = WeightStore.of({"a": 1.0, "b": 2.0}), WeightStore.of({"a": 1.0, "b": 2.0, "absent": 3.0})
    for number in (0, 1):
        _native.move_weights(store.native, vector({"a": 1.0, "b": 1.0, "new": 1.0}), 0.5, 1.0, 0.0, number)
    _native.restore_weights(store.native, first.native, ["a", "new", "absent"])
    assert dict(store.items()) == {"a": 1.0, "b": 3.0, "new": 0.0}
    assert store.averages(2).tolist() == [1.0, 2.75, 0.0]


def test_the_average_is_the_mean_of_the_weights_after_all_steps() -> None:
    store, after = WeightStore(), []
    vectors = random_vectors(2)
    for number, d in enumerate(vectors):
        _native.move_weights(store.native, vector(d), 0.1, 1.0, 0.0, number)
        after.append(dict(store.items()))
    means = {name: np.mean([weights.get(name, 0.0) for weights in after]) for name in store}
    assert dict(zip(store, store.averages(len(vectors)).tolist(), strict=True)) == pytest.approx(means)


def test_lazy_penalties_equal_penalties_in_every_step() -> None:
    store = WeightStore.of({"f0": 0.2, "idle": 0.01, "strong": -3.0})
    weights, squares = dict(store.items()), dict.fromkeys(store, 1.0)
    rate, l1 = 0.1, 0.02
    vectors = random_vectors(3)
    for number, d in enumerate(vectors):
        _native.adagrad_step(store.native, vector(d), l1, rate, number)
        for name in {**weights, **d}:
            squares[name] = squares.get(name, 1.0) + d.get(name, 0.0) ** 2
            step = rate / math.sqrt(squares[name])
            moved = weights.get(name, 0.0) + step * d.get(name, 0.0)
            weights[name] = math.copysign(max(abs(moved) - step * l1, 0.0), moved)
    _native.settle_penalties(store.native, l1, rate, len(vectors))
    assert dict(store.items()) == pytest.approx(weights, abs=1e-12)
    assert store["idle"] == 0.0


def test_a_pass_begins_without_memory_or_with_the_rates_of_another_store() -> None:
    store = WeightStore.of({"f0": 1.0})
    _native.move_weights(store.native, vector({"f0": 2.0, "f1": 1.0}), 0.1, 1.0, 0.5, 3)
    mixed = WeightStore.of({"f0": 5.0, "f2": 1.0})
    _native.begin_pass(mixed.native, store.native, 1.0)
    assert dict(mixed.items()) == {"f0": 5.0, "f2": 1.0, "f1": 0.0}
    assert mixed.native.rates().tolist() == [3.0, 1.0, 1.5]
    _native.begin_pass(store.native, None, 1.0)
    assert store.native.rates().tolist() == [1.0, 1.0]
    assert store.native.drifts().tolist() == [0.0, 0.0]


def test_weights_are_pulled_towards_the_start() -> None:
    store = WeightStore.of({"a": 2.0, "b": 1.0})
    _native.pull_towards(store.native, WeightStore.of({"a": 1.0}).native, 0.25)
    assert dict(store.items()) == {"a": 1.25, "b": 0.25}
