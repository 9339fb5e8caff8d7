"""Mixing shards against sums in plain Python."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunesmith import _native
from tunesmith.tuning.online.mixing import MixingOptions, mix, with_largest
from tunesmith.weights import WeightStore

WEIGHTS = st.dictionaries(
    st.sampled_from([f"s{i}" for i in range(8)]), st.floats(-2, 2, allow_subnormal=False), max_size=8
)


@given(
    start=WEIGHTS,
    shards=st.lists(st.tuples(WEIGHTS, st.integers(1, 9)), min_size=1, max_size=5),
    k=st.integers(0, 6),
)
@settings(max_examples=60, deadline=None)
def test_the_mean_is_by_sentences_and_the_top_k_by_the_norm_over_shards(
    start: dict[str, float], shards: list[tuple[dict[str, float], int]], k: int
) -> None:
    total = sum(size for _, size in shards)
    found = mix(
        WeightStore.of(start),
        [(WeightStore.of(weights), size, size) for weights, size in shards],
        total,
        ["s0"],
        MixingOptions(top_k=k),
    )
    names = list(dict.fromkeys([*start, *(name for weights, _ in shards for name in weights)]))
    mean = {name: sum(size / total * weights.get(name, 0.0) for weights, size in shards) for name in names}
    norm = {name: sum(weights.get(name, 0.0) ** 2 for weights, _ in shards) for name in names}
    active = [name for name in names if name != "s0" and mean[name] != 0]
    kept = sorted(active, key=lambda name: (-norm[name], names.index(name)))[: k or None]
    expected = {name: mean[name] for name in names if name in kept or name == "s0"}
    assert dict(found.last.items()) == pytest.approx(expected, abs=1e-12)
    assert list(found.last) == list(expected)
    assert found.dropped_by_top_k == len(active) - len(kept)


def test_frozen_features_get_their_weights_back_without_a_store_of_all_start_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights = {"held": 0.1 + 0.2, "free": 1.0, "rare": 0.0}
    WeightStore.of(weights).save(tmp_path / "start")
    shards = []
    for number in range(3):
        WeightStore.of({name: value + number for name, value in weights.items()}).save(tmp_path / f"{number}")
        shards.append((tmp_path / f"{number}", 1, 1))
    monkeypatch.setattr(WeightStore, "open", None)
    held = {"held": weights["held"], "rare": 0.0, "absent": 3.0}
    found = mix(tmp_path / "start", shards, 3, (), MixingOptions(top_k=1), frozen=held)
    assert dict(found.last.items()) == {"held": 0.1 + 0.2, "free": 2.0, "rare": 0.0}
    assert dict(found.average.items()) == {"held": 0.1 + 0.2, "free": 2.0, "rare": 0.0}


@given(start=WEIGHTS, shards=st.lists(st.tuples(WEIGHTS, st.integers(1, 9)), min_size=1, max_size=5))
@settings(max_examples=60, deadline=None)
def test_the_mean_over_changed_shards_leaves_out_those_that_kept_the_start_weight(
    start: dict[str, float], shards: list[tuple[dict[str, float], int]]
) -> None:
    sizes = [size for _, size in shards]
    stores, moved = [], []
    for steps, size in shards:
        store = WeightStore.of(start)
        for name, step in steps.items():
            vector = _native.FeatureVector.of([name], np.array([step]))
            _native.move_weights(store.native, vector, 1.0, 1.0, 0.0, 0)
        stores.append((store, size, 1))
        moved.append({name: start.get(name, 0.0) + step for name, step in steps.items()})
    found = mix(WeightStore.of(start), stores, sum(sizes), (), MixingOptions(top_k=0, mix="changed"))
    for name in {*start, *(name for weights in moved for name in weights)}:
        first = start.get(name, 0.0)
        changed = [
            (weights[name], size)
            for weights, size in zip(moved, sizes, strict=True)
            if weights.get(name, first) != first
        ]
        mean = sum(w * size for w, size in changed) / sum(size for _, size in changed) if changed else first
        assert found.last.get(name, 0.0) == pytest.approx(mean, abs=1e-9)


def test_changes_that_cancel_the_start_weights_of_others_are_not_dropped() -> None:
    shards = [(WeightStore.of({"x": -1.0}), 1, 1), (WeightStore.of({"x": 1.0}), 1, 1)]
    for rule, expected in (("all", {}), ("changed", {"x": -1.0})):
        found = mix(WeightStore.of({"x": 1.0}), shards, 2, (), MixingOptions(mix=rule))
        assert dict(found.last.items()) == expected


def test_new_features_that_few_shards_changed_are_dropped() -> None:
    start = WeightStore.of({"old": 0.5})
    shards = [{"old": 0.5, "both": 1.0, "one": 1.0}, {"old": 0.5, "both": 2.0}]
    parts = [(WeightStore.of(weights), 1, 1) for weights in shards]
    found = mix(start, parts, 2, (), MixingOptions(top_k=0, least_shards=2))
    assert dict(found.last.items()) == {"old": 0.5, "both": 1.5}
    assert found.dropped_by_shards == 1


def test_averages_are_mixed_by_sentences_too() -> None:
    stores = []
    for size, steps in ((1.0, 2), (3.0, 4)):
        store = WeightStore.of({"a": 1.0})
        for number in range(steps):
            _native.move_weights(
                store.native, _native.FeatureVector.of(["a"], np.array([size])), 1.0, 1.0, 0.0, number
            )
        stores.append((store, steps, steps))
    found = mix(WeightStore.of({"a": 1.0}), stores, 6, (), MixingOptions())
    assert found.last["a"] == pytest.approx(2 / 6 * 3.0 + 4 / 6 * 13.0)
    assert found.average["a"] == pytest.approx(2 / 6 * 2.5 + 4 / 6 * 8.5)


def test_a_mean_over_iterations_counts_a_feature_that_was_dropped_as_zero() -> None:
    mean = WeightStore.of({"left over": 7.0})
    for number, weights in enumerate([{"a": 3.0, "b": 1.0}, {"b": 2.0}, {"a": 3.0, "c": 3.0}], 1):
        _native.add_to_mean(mean.native, WeightStore.of(weights).native, number)
    assert dict(mean.items()) == pytest.approx({"a": 2.0, "b": 1.0, "c": 1.0})


def test_the_largest_weights_are_kept_in_their_order_beside_the_dense_ones() -> None:
    store = WeightStore.of({"a": 1.0, "dense": 0.1, "b": -3.0, "c": 2.0, "zero dense": 0.0})
    dense = ["dense", "zero dense", "unknown"]
    assert dict(with_largest(store, dense, 2).items()) == {"dense": 0.1, "b": -3.0, "c": 2.0, "zero dense": 0}
    assert list(with_largest(store, dense, 2)) == ["dense", "b", "c", "zero dense"]
    for top_k in (0, 3, 9):
        assert with_largest(store, dense, top_k) is store


def test_features_are_counted_by_the_longest_template() -> None:
    store = WeightStore.of(
        {"Rule_a": 1.0, "RuleShape_x": 1.0, "Rule_b": 0.0, "Rule": 2.0, "LM": 1.0, "Rules": 1.0}
    )
    assert _native.count_by_template(store.native, ["Rule", "RuleShape"]) == [2, 1, 2]
