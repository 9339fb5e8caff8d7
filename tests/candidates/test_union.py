"""A union that grows pool by pool against one that is made at once, and layers against one matrix."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.candidates.compare import assert_identical, candidates
from tests.candidates.test_merge import brute_force, colliding, pool_of

from tunesmith.candidates import Pool
from tunesmith.candidates.features import Features
from tunesmith.candidates.layers import LayeredFeatures
from tunesmith.candidates.mapped import read_mapped, write_mapped
from tunesmith.candidates.union import Union, united
from tunesmith.errors import InputError


@given(st.lists(colliding, min_size=1, max_size=4))
def test_it_is_the_union_of_comparing_all_with_all_after_every_pool(parts: list[Pool]) -> None:
    union, before = Union(threads=2), 0
    for number, part in enumerate(parts, 1):
        new = union.add(part)
        assert dict(zip(union.pool.ids, candidates(union.pool), strict=True)) == brute_force(parts[:number])
        assert union.pool.n_candidates == before + new
        before += new
    assert_identical(union.pool, Pool.merge(parts))


@given(st.lists(colliding, min_size=2, max_size=3), st.integers(0, 100))
def test_layers_score_and_give_rows_as_one_matrix_does(parts: list[Pool], seed: int) -> None:
    union, rng = Union(threads=1), np.random.default_rng(seed)
    for part in parts:
        union.add(part)
    layered, flat = union.pool, Pool.merge(parts)
    weights = rng.normal(size=layered.features.width)
    assert layered.features.dot(weights).tobytes() == flat.features.dot(weights).tobytes()
    assert np.array_equal(layered.best(weights), flat.best(weights))
    rows = np.unique(np.concatenate([layered.offsets[:-1], rng.integers(layered.n_candidates, size=3)]))
    assert_identical(layered.take_rows(rows), flat.take_rows(rows))
    assert "flat" not in vars(layered.features), "nothing of it needs one matrix"
    assert np.array_equal(layered.features.dense, flat.features.dense)
    assert_identical(pickle.loads(pickle.dumps(layered)), flat)


def test_a_mapped_pool_with_the_columns_of_the_union_is_not_copied(tmp_path: Path) -> None:
    union = Union()
    union.add(pool_of(["a"], [[1, 2]], names=["f", "g"]))
    other = pool_of(["b"], [[3, 4]], names=["h", "g"])
    for name, pool, is_mapped in [
        ("as it is", other, False),
        ("renumbered", replace(other, features=other.features.renumbered(("f", "g", "h"))), True),
    ]:
        write_mapped(pool, tmp_path / name)
        mapped = read_mapped(tmp_path / name)
        union.add(mapped)
        layers = union.pool.features.layers  # type: ignore[attr-defined]
        assert np.shares_memory(layers[-1].values, mapped.features.values) == is_mapped
    assert union.names == united(["f", "g"], ["h", "g"]) == ("f", "g", "h")
    assert candidates(union.pool) == [[("a", {"f": 1, "g": 2}), ("b", {"h": 3, "g": 4})]]


def test_a_pool_that_is_refused_leaves_the_union_as_it_was() -> None:
    union = Union()
    union.add(pool_of(["a"], [[1]], references=["r"]))
    before = union.pool
    with pytest.raises(InputError, match="disagree on a reference"):
        union.add(pool_of(["b"], [[1]], references=["s"]))
    assert union.pool is before
    assert union.add(pool_of(["b"], [[1]], references=["r"])) == 1
    assert union.pool.texts == ["a", "b"]


def test_layers_begin_with_the_same_columns() -> None:
    one, other = Features.from_dense([[1.0]], ["f"]), Features.from_dense([[1.0]], ["g"])
    with pytest.raises(InputError, match="not the first ones"):
        LayeredFeatures(("f", "g"), (one, other), np.array([0, 1]))
    with pytest.raises(InputError, match="expected 1 weights"):
        LayeredFeatures(("f",), (one,), np.array([0])).dot(np.ones(2))
