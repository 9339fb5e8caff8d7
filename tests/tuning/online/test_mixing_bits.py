"""Mixing equals sums in plain Python bit for bit: of stores and files, by any number of threads."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.weights.test_store import COLLIDING

from tunesmith.tuning.online.mixing import Mixed, MixingOptions, mix
from tunesmith.weights import WeightStore

Shard = dict[str, tuple[float, float]]
"""Weight and drift by name."""

NAMES = st.sampled_from([f"s{i}" for i in range(9)] + ["", "ä", "two words"])
NUMBERS = st.sampled_from([0.0, -0.0, 1.0, -1.0, 0.1, 0.3]) | st.floats(-2, 2, allow_subnormal=False)
"""Few values, so that norms are often equal and sums often 0."""
SHARDS = st.lists(
    st.tuples(
        st.dictionaries(NAMES, st.tuples(NUMBERS, NUMBERS), max_size=12), st.integers(1, 9), st.integers(0, 9)
    ),
    min_size=1,
    max_size=6,
)
OPTIONS = st.builds(
    MixingOptions,
    mix=st.sampled_from(["all", "changed"]),
    top_k=st.integers(0, 8),
    least_shards=st.integers(1, 4),
)


def expected(
    start: dict[str, float],
    shards: Sequence[tuple[Shard, int, int]],
    dense: Sequence[str],
    options: MixingOptions,
) -> tuple[dict[str, tuple[float, float]], int, int]:
    """Means of weights and averages by name, and numbers of dropped features, from lists by name."""
    total = sum(size for _, size, _ in shards)
    columns: dict[str, list[tuple[float, float, float]]] = {name: [] for name in start}
    for weights, size, steps in shards:
        for name, (weight, drift) in weights.items():
            average = weight - drift / max(steps, 1)
            columns.setdefault(name, []).append((size / total, weight, average))
    all_shares = 0.0
    for _, size, _ in shards:
        all_shares += size / total

    def mean(name: str, of: Literal[1, 2]) -> float:
        first, added, changed = start.get(name, 0.0), 0.0, 0.0
        for row in columns[name]:
            added += row[0] * row[of]
            changed += row[0] if row[1] != first else 0.0
        if options.mix == "all" or changed == 0 or changed >= all_shares:
            return added
        return first + (added - all_shares * first) / changed

    def norm(name: str) -> float:
        added = 0.0
        for _, weight, _ in columns[name]:
            added += weight * weight
        return added

    means = {name: (mean(name, 1), mean(name, 2)) for name in columns}
    others = [name for name in columns if name not in dense and means[name] != (0, 0)]
    wide = [
        name
        for name in others
        if start.get(name, 0.0) != 0
        or sum(weight != start.get(name, 0.0) for _, weight, _ in columns[name]) >= options.least_shards
    ]
    order = {name: number for number, name in enumerate(columns)}
    ranked = sorted(wide, key=lambda name: (-norm(name), order[name]))
    kept = {*ranked[: options.top_k or None], *dense}
    found = {name: means[name] for name in columns if name in kept}
    return found, len(wide) - len([name for name in ranked if name in kept]), len(others) - len(wide)


def store_of(weights: Shard) -> WeightStore:
    store = WeightStore.of({name: weight for name, (weight, _) in weights.items()})
    size = len(store)
    drifts = np.array([drift for _, drift in weights.values()], dtype=np.float64)
    store.native.set_memory(
        np.arange(size, dtype=np.uint32), np.ones(size), drifts, np.zeros(size, dtype=np.int64)
    )
    return store


def assert_same_bits(
    found: Mixed, wanted: tuple[dict[str, tuple[float, float]], int, int], about: object = None
) -> None:
    weights, by_top, by_shards = wanted
    assert (found.dropped_by_top_k, found.dropped_by_shards) == (by_top, by_shards), about
    assert list(found.last) == list(found.average) == list(weights), about
    for store, column in ((found.last, 0), (found.average, 1)):
        bits = np.array([row[column] for row in weights.values()], dtype=np.float64).tobytes()
        assert store.native.weights().tobytes() == bits, about


@given(start=st.dictionaries(NAMES, NUMBERS, max_size=12), shards=SHARDS, options=OPTIONS)
@settings(max_examples=150)
def test_means_and_selected_features_of_stores_are_those_of_plain_sums(
    start: dict[str, float], shards: list[tuple[Shard, int, int]], options: MixingOptions
) -> None:
    wanted = expected(start, shards, ["s0"], options)
    parts = [(store_of(weights), size, steps) for weights, size, steps in shards]
    total = sum(size for _, size, _ in shards)
    for threads in (1, 3):
        assert_same_bits(mix(WeightStore.of(start), parts, total, ["s0"], options, threads), wanted)


@pytest.mark.slow
def test_large_files_give_the_bits_of_plain_sums_for_any_number_of_threads(tmp_path: Path) -> None:
    """Files are of several blocks, and all blocks do not fit into memory at once."""
    random = np.random.default_rng(5)
    names = [f"TargetBigram_{number}_ä" for number in range(80_000)]
    start = dict(zip(names[:60_000], random.choice([0.0, 0.25, 1.5], 60_000).tolist(), strict=True))
    WeightStore.of(start).save(tmp_path / "start")
    shards: list[tuple[Shard, int, int]] = []
    for number in range(8):
        chosen = names[:60_000] + [names[i] for i in random.permutation(20_000)[:12_000] + 60_000]
        if number == 4:  # another order, and features of the start that are missing
            chosen = [names[i] for i in random.permutation(80_000)[:40_000]]
        weights = random.choice([0.25, 0.5, 1.5, 1.501, -0.1, 0.0], len(chosen)).tolist()
        rows = zip(weights, random.normal(size=len(chosen)).tolist(), strict=True)
        shards.append((dict(zip(chosen, rows, strict=True)), 3 + number, 2 + number))
        store_of(shards[-1][0]).save(tmp_path / f"{number}")
    parts = [(tmp_path / f"{number}", size, steps) for number, (_, size, steps) in enumerate(shards)]
    total = sum(size for _, size, _ in shards)
    for rule, tried in (("all", (1, 64)), ("changed", (2, 5))):
        options = MixingOptions(mix=rule, top_k=30_000, least_shards=3)
        wanted = expected(start, shards, names[:3], options)
        assert wanted[1] > 0 and wanted[2] > 0
        for threads in tried:
            found = mix(tmp_path / "start", parts, total, names[:3], options, threads)
            assert_same_bits(found, wanted, (rule, threads))


def test_stores_and_files_of_all_forms_are_mixed_alike(tmp_path: Path) -> None:
    start = {"a": 1.0, "b": -0.5}
    shard: Shard = {"a": (0.7, 0.25), "c": (0.1, -3.0)}
    wanted = expected(start, [(shard, 2, 3), (shard, 1, 1)], (), MixingOptions())
    WeightStore.of(start).save(tmp_path / "start")
    (tmp_path / "start.json").write_text('{"a": 1.0, "b": -0.5}')
    store_of(shard).save(tmp_path / "shard")
    for first in (WeightStore.of(start), tmp_path / "start", tmp_path / "start.json"):
        for second in (store_of(shard), tmp_path / "shard", str(tmp_path / "shard")):
            parts = [(second, 2, 3), (store_of(shard), 1, 1)]
            assert_same_bits(mix(first, parts, 3, (), MixingOptions()), wanted)


def test_a_shard_without_features_counts_as_weights_of_0() -> None:
    shards: list[tuple[Shard, int, int]] = [({}, 1, 0), ({"a": (1.0, 0.5)}, 2, 2), ({}, 1, 0)]
    parts = [(store_of(weights), size, steps) for weights, size, steps in shards]
    for start in ({}, {"a": 2.0}):
        wanted = expected(start, shards, (), MixingOptions())
        assert_same_bits(mix(WeightStore.of(start), parts, 4, (), MixingOptions()), wanted)
    nothing = mix(WeightStore(), [(WeightStore(), 1, 0)], 1, ["a"], MixingOptions())
    assert (len(nothing.last), len(nothing.average)) == (0, 0)


def test_names_with_one_key_share_a_column_under_the_first_of_them(tmp_path: Path) -> None:
    first, second = COLLIDING
    for number, name in enumerate((first, second, first)):
        WeightStore.of({"before": 1.0, name: 1.0 + number}).save(tmp_path / f"{number}")
    parts = [(tmp_path / f"{number}", 1, 1) for number in range(3)]
    for order, kept in ((parts, first), (parts[1:], second)):
        found = mix(WeightStore(), order, len(order), (), MixingOptions())
        mean = 0.0
        for path, _, _ in order:
            mean += 1 / len(order) * WeightStore.open(path).native.weights()[1]
        assert list(found.last) == ["before", kept] and found.last[kept] == mean
    found = mix(WeightStore.of({second: 0.0}), parts, 3, (), MixingOptions())
    assert list(found.last) == [second, "before"]
