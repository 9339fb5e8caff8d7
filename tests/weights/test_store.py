"""The store of weights: a mapping of names that is changed in place and saved to a mapped file."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith import _native
from tunesmith.errors import InputError, NameCollisionWarning
from tunesmith.weights import Weights, WeightStore

NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
WEIGHTS = st.dictionaries(NAMES, st.floats(allow_nan=False, allow_infinity=False), max_size=40)
COLLIDING = ("mmonmnmmmnmnkllmkkjk", "mmjlllllllllnmmmnooo")
"""Names with equal keys: their difference is a short vector of the lattice of multiples of the prime."""
FINITE = st.floats(0, 1e6)
ROWS = st.tuples(NAMES, FINITE, FINITE, FINITE, st.integers(0, 2**40))


@given(WEIGHTS)
def test_a_store_is_the_mapping_that_it_was_made_of(weights: dict[str, float]) -> None:
    store = WeightStore.of(weights)
    assert list(store.items()) == list(weights.items())
    assert list(store) == list(weights)
    assert len(store) == len(weights)
    assert store == weights
    assert all(store[name] == value == store.get(name) for name, value in weights.items())
    assert "absent name" not in store
    assert store.get("absent name") is None


@given(WEIGHTS, WEIGHTS)
def test_setting_weights_updates_as_a_dictionary_does(
    weights: dict[str, float], more: dict[str, float]
) -> None:
    store = WeightStore.of(weights)
    store.set(list(more), list(more.values()))
    assert store == {**weights, **more}


@given(WEIGHTS)
def test_the_top_features_have_the_largest_absolute_weights(weights: dict[str, float]) -> None:
    expected = sorted(weights.items(), key=lambda item: -abs(item[1]))
    store = WeightStore.of(weights)
    assert store.top(5) == expected[:5]
    assert store.top(len(weights) + 1) == expected


@given(
    rows=st.lists(
        st.tuples(NAMES, FINITE, FINITE, FINITE, st.integers(0, 2**40)),
        min_size=1,
        unique_by=lambda row: row[0],
    )
)
def test_a_saved_store_comes_back_with_all_of_its_records(
    rows: list[tuple[str, float, float, float, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("store") / "weights"
    names, values, rates, drifts, last_steps = (list(column) for column in zip(*rows, strict=True))
    store = WeightStore()
    store.set(names, np.array(values, dtype=np.float64))
    store.native.set_memory(
        np.arange(len(rows), dtype=np.uint32),
        np.array(rates, dtype=np.float64),
        np.array(drifts, dtype=np.float64),
        np.array(last_steps, dtype=np.int64),
    )
    store.save(path, about={"seed": 1, "templates": ["é"]})
    read = WeightStore.open(path)
    assert list(read.items()) == list(store.items())
    for column in ("keys", "rates", "drifts", "last_steps"):
        assert getattr(read.native, column)().tolist() == getattr(store.native, column)().tolist()
    assert read.about == {"seed": 1, "templates": ["é"]}
    assert read.path == path


def test_stores_open_other_files_of_weights(tmp_path: Path) -> None:
    Weights({"a": 1.0, "b": -2.0}).write(tmp_path / "weights.json")
    assert WeightStore.open(tmp_path / "weights.json") == {"a": 1.0, "b": -2.0}


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_weight_that_is_not_finite_is_an_error_that_names_it(value: float) -> None:
    with pytest.raises(InputError, match=r"the weight of 'b' is .*expected a finite number"):
        WeightStore().set(["a", "b"], [1.0, value])


def test_names_and_values_must_be_equally_many() -> None:
    with pytest.raises(InputError, match="2 names for 1 values"):
        WeightStore().set(["a", "b"], [1.0])


def test_every_change_makes_a_new_version() -> None:
    store = WeightStore.of({"a": 1.0})
    version = store.native.version
    store.set(["a"], [2.0])
    assert store.native.version > version


def test_adding_a_vector_changes_the_weights_by_its_values() -> None:
    store = WeightStore.of({"a": 1.0, "b": 1.0})
    store.add(_native.FeatureVector.of(["b", "new"], np.array([2.0, 4.0])), 0.5)
    assert store == {"a": 1.0, "b": 2.0, "new": 2.0}


def test_averages_are_the_mean_of_the_weights_over_steps() -> None:
    trajectory = [0.0, 0.5, 0.5, -1.0, 3.0]
    store = WeightStore.of({"a": trajectory[-1]})
    drift = sum(
        step * (new - old)
        for step, (old, new) in enumerate(zip([0.0, *trajectory], trajectory, strict=False))
    )
    store.native.set_memory(np.zeros(1, np.uint32), np.ones(1), np.array([drift]), np.zeros(1, np.int64))
    assert store.averages(len(trajectory)).tolist() == pytest.approx([np.mean(trajectory)])


def test_an_about_that_is_not_json_is_an_error_and_writes_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written as JSON"):
        WeightStore.of({"a": 1.0}).save(tmp_path / "weights", about={"a": object()})
    assert not (tmp_path / "weights").exists()


def test_two_names_with_one_key_share_a_weight_and_both_are_reported_once() -> None:
    store = WeightStore()
    with pytest.warns(NameCollisionWarning, match=" and ".join(map(repr, COLLIDING))):
        store.set(COLLIDING, [1.0, 2.0])
    assert list(store.items()) == [(COLLIDING[0], 2.0)]
    assert COLLIDING[1] not in store
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        store.set(COLLIDING, [3.0, 4.0])


def test_colliding_names_in_a_vector_are_reported_when_it_is_added() -> None:
    vector = _native.FeatureVector.of(list(COLLIDING), np.ones(2))
    assert vector.collisions() == [COLLIDING]
    store = WeightStore()
    with pytest.warns(NameCollisionWarning):
        store.add(vector)
    assert store == {COLLIDING[0]: 2.0}
