"""Sparse vectors of named features."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.weights import WeightStore

ENTRIES = st.lists(st.tuples(st.sampled_from("abcdefgh"), st.integers(-9, 9)), max_size=30)


def vector(entries: list[tuple[str, int]]) -> _native.FeatureVector:
    return _native.FeatureVector.of(
        [name for name, _ in entries], np.array([value for _, value in entries], float)
    )


def summed(entries: list[tuple[str, int]]) -> dict[str, float]:
    sums: dict[str, float] = {}
    for name, value in entries:
        sums[name] = sums.get(name, 0) + value
    return sums


def as_dict(features: _native.FeatureVector) -> dict[str, float]:
    return dict(zip(features.names(), features.values.tolist(), strict=True))


@given(ENTRIES)
def test_equal_names_are_summed_in_order_of_first_appearance(entries: list[tuple[str, int]]) -> None:
    assert list(as_dict(vector(entries)).items()) == list(summed(entries).items())


@given(ENTRIES, ENTRIES)
def test_vector_arithmetic_agrees_with_dictionaries(
    hope: list[tuple[str, int]], fear: list[tuple[str, int]]
) -> None:
    difference = vector(hope)
    difference.add(vector(fear), -1.0)
    expected = summed([*hope, *((name, -value) for name, value in fear)])
    assert as_dict(difference) == expected
    assert difference.norm2() == sum(value**2 for value in expected.values())
    weights = {"a": 0.5, "c": -2.0, "z": 7.0}
    assert difference.dot(WeightStore.of(weights).native) == sum(
        value * weights.get(name, 0.0) for name, value in expected.items()
    )
    difference.drop_zeros()
    assert as_dict(difference) == {name: value for name, value in expected.items() if value}


def test_keys_are_those_of_the_store() -> None:
    features = vector([("a", 1), ("größe", 2)])
    assert features.keys.tolist() == WeightStore.of(as_dict(features)).native.keys().tolist()


def test_vectors_are_pickled_whole() -> None:
    features = vector([("b", 1), ("a", 2)])
    assert as_dict(pickle.loads(pickle.dumps(features))) == as_dict(features)


def test_names_and_values_must_be_equally_many() -> None:
    with pytest.raises(InputError, match="1 names for 2 values"):
        _native.FeatureVector.of(["a"], np.zeros(2))
