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
from tests.random_pools import random_pool

from tunesmith.candidates import Pool
from tunesmith.candidates.features import Features
from tunesmith.candidates.layered_texts import LayeredTexts
from tunesmith.candidates.layers import Layer, LayeredFeatures
from tunesmith.candidates.mapped import read_mapped, write_mapped
from tunesmith.candidates.union import Union, narrowed
from tunesmith.errors import InputError
from tunesmith.metrics import Bleu


@given(st.lists(colliding, min_size=1, max_size=4))
def test_it_is_the_union_of_comparing_all_with_all_after_every_pool(parts: list[Pool]) -> None:
    union, before = Union(threads=2), 0
    for number, part in enumerate(parts, 1):
        new = union.add(part)
        expected = brute_force(parts[:number])
        assert dict(zip(union.pool.ids, candidates(union.pool), strict=True)) == expected
        assert union.pool.n_candidates == before + new
        assert len(union) == len(expected)
        before += new


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
    for bad in (-1, layered.n_candidates):
        for pool in (layered, flat):
            with pytest.raises(InputError, match=f"row {bad} is outside 0..{layered.n_candidates}"):
                pool.features.take([bad])
    assert np.array_equal(layered.features.dense, flat.features.dense)
    assert_identical(pickle.loads(pickle.dumps(layered)), flat)


def test_a_mapped_pool_with_the_columns_of_the_union_is_not_copied(tmp_path: Path) -> None:
    other = pool_of(["b"], [[3, 4]], names=["h", "g"])
    for has_columns in (True, False):
        union = Union()
        union.add(pool_of(["a"], [[1, 2]], names=["f", "g"]))
        write_mapped(union.news(other) if has_columns else other, tmp_path / "pool")
        mapped = read_mapped(tmp_path / "pool")
        union.add(mapped)
        features = union.pool.features
        assert isinstance(features, LayeredFeatures)
        assert np.shares_memory(features.layers[-1].arrays[2], mapped.features.values) == has_columns
        assert features.names == ("f", "g", "h")
        assert candidates(union.pool) == [[("a", {"f": 1, "g": 2}), ("b", {"h": 3, "g": 4})]]


@given(st.lists(colliding, min_size=1, max_size=4))
def test_news_are_all_that_a_pool_brings(parts: list[Pool]) -> None:
    whole, brief = Union(), Union(threads=2)
    for part in parts:
        before = brute_force([brief.pool]) if len(brief) else {}
        news = brief.news(part)
        new = whole.add(part)
        if new:
            for name, rows in brute_force([news]).items():
                vectors = [(text, {k: v for k, v in row.items() if v}) for text, row in rows]
                known = [(text, {k: v for k, v in row.items() if v}) for text, row in before.get(name, [])]
                assert not any(vector in known for vector in vectors)
        else:
            assert news.n_candidates == part.n_candidates
        assert brief.add(news) == new
        assert_identical(brief.pool, whole.pool)


@given(st.lists(colliding, min_size=1, max_size=3), st.integers(1, 3))
def test_news_of_parts_are_those_of_the_whole(pools: list[Pool], size: int) -> None:
    union = Union()
    for number, pool in enumerate(pools):
        lists = [np.arange(len(pool))[begin : begin + size] for begin in range(0, len(pool), size)]
        news, parts = union.news(pool), union.news_of_parts(map(pool.take_lists, lists))
        assert len({part.feature_names for part in parts}) == 1
        if union.add(pool) or not number:
            assert_identical(Pool.merge(parts), Pool.merge([news]))
            assert sum(part.n_candidates for part in parts) == news.n_candidates
        else:
            assert candidates(parts[0]) == candidates(pool.take_lists(lists[0]))
    with pytest.raises(InputError, match="no pools to merge"):
        union.news_of_parts([])


@given(st.lists(colliding, min_size=1, max_size=3), st.integers(0, 100))
def test_texts_of_a_union_are_taken_without_joining_them(parts: list[Pool], seed: int) -> None:
    union = Union()
    for part in parts:
        union.add(part)
    texts, joined = union.pool.texts, Pool.merge(parts).texts
    assert isinstance(texts, LayeredTexts)
    assert joined is not None
    strings = list(pickle.loads(pickle.dumps(joined)))
    rows = np.random.default_rng(seed).integers(len(strings), size=5)
    fresh = LayeredTexts(texts.columns, texts.rows)
    assert list(fresh.take(rows)) == [strings[row] for row in rows]
    assert "_flat" not in vars(fresh)
    assert fresh == strings
    with pytest.raises(InputError, match=f"text {len(strings)} is outside"):
        texts.take([len(strings)])


def test_statistics_are_kept_bit_for_bit_in_half_the_memory_if_they_are_counts() -> None:
    counts = np.array([[0.0, 3.0, -0.0], [2.0**24, 1.0, 7.0]])
    assert narrowed(counts).dtype == np.float32
    assert narrowed(counts).astype(np.float64).tobytes() == counts.tobytes()
    for other in (0.1, 2.0**24 + 1, 1e300, np.nan):
        stats = np.array([[1.0, other]])
        assert narrowed(stats) is stats
    metric, union = Bleu(), Union()
    references = random_pool(1, lists=3).references
    parts = [replace(random_pool(seed, lists=3), references=references, _stats={}) for seed in (1, 2)]
    merged = Pool.merge(parts)
    for part in parts:
        part.stats(metric)
        union.add(part)
    assert union.pool.stats(metric).tobytes() == merged.stats(metric).tobytes()


def test_layers_are_told_without_making_one_matrix() -> None:
    union = Union()
    union.add(pool_of(["a", "b"], [[1, 2], [3, 4]]))
    assert repr(union.pool.features) == "<2 rows of 1 layers, 2 features>"
    with pytest.raises(InputError, match="score of candidate 1 is inf"):
        union.pool.features.dot(np.array([1e308, 0.0]))
    assert "flat" not in vars(union.pool.features)


def test_a_pool_that_is_refused_leaves_the_union_as_it_was() -> None:
    union = Union()
    union.add(pool_of(["a"], [[1]], references=["r"]))
    before = union.pool
    with pytest.raises(InputError, match="disagree on a reference"):
        union.add(pool_of(["b"], [[1]], references=["s"]))
    assert union.pool is before
    assert union.add(pool_of(["b"], [[1]], references=["r"])) == 1
    assert union.pool.texts == ["a", "b"]


def test_weights_must_fit_and_layers_too() -> None:
    layer = Layer(Features.from_dense([[1.0, 2.0]]).arrays, 2)
    with pytest.raises(InputError, match="more than 1 features"):
        LayeredFeatures(("f",), (layer,), np.array([0]))
    with pytest.raises(InputError, match="expected 3 weights"):
        LayeredFeatures(("f", "g", "h"), (layer,), np.array([0])).dot(np.ones(2))
