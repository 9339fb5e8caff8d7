from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.candidates.compare import assert_identical, candidates
from tests.strategies import pools, small_number

from tunesmith.candidates import Pool
from tunesmith.errors import InputError, OptionError
from tunesmith.metrics.bleu import Bleu

few_words = st.sampled_from(["", "a", "b", "a b"])
few_names = st.sampled_from(["f", "g", "h", "i"])
few_values = st.sampled_from([-1.0, -0.0, 0.0, 1.0])
colliding = pools(
    texts=few_words, names=few_names, values=few_values, references=0, ids=st.sampled_from("0123")
)


def brute_force(parts: list[Pool]) -> dict[str, list[tuple[Any, dict[str, float]]]]:
    union: dict[str, list[tuple[Any, dict[str, float]]]] = {}
    for pool in parts:
        for name, rows in zip(pool.ids, candidates(pool), strict=True):
            kept = union.setdefault(name, [])
            for text, features in rows:
                vector = {key: value for key, value in features.items() if value != 0}
                if all(
                    (text, vector) != (other, {key: value for key, value in entries.items() if value != 0})
                    for other, entries in kept
                ):
                    kept.append((text, features))
    return union


@given(st.lists(colliding, min_size=1, max_size=4))
def test_the_union_is_that_of_comparing_all_with_all(parts: list[Pool]) -> None:
    merged = Pool.merge(parts)
    assert dict(zip(merged.ids, candidates(merged), strict=True)) == brute_force(parts)
    assert list(merged.ids) == list(brute_force(parts))


@given(st.lists(pools(values=small_number, references=0), min_size=1, max_size=3))
def test_merging_is_the_same_with_any_number_of_threads(parts: list[Pool]) -> None:
    assert_identical(Pool.merge(parts, threads=3), Pool.merge(parts, threads=1))


@given(colliding)
def test_merging_again_adds_nothing(pool: Pool) -> None:
    once = Pool.merge([pool])
    assert_identical(Pool.merge([once, pool, once]), once)


def test_all_candidates_are_kept_on_request() -> None:
    first, second = pool_of(["a", "b"], [[1.0], [2.0]]), pool_of(["b", "a"], [[2.0], [3.0]])
    assert Pool.merge([first, second]).texts == ["a", "b", "a"]
    assert Pool.merge([first, second], duplicates="keep").texts == ["a", "b", "b", "a"]
    with pytest.raises(OptionError, match="duplicates cannot be 'all'"):
        Pool.merge([first], duplicates="all")  # type: ignore[arg-type]


def pool_of(texts: list[str], features: Any, **more: Any) -> Pool:
    return Pool.from_arrays(np.array([features], dtype=float), texts=texts, **more)


def test_the_first_pools_candidates_come_first_with_their_totals() -> None:
    first = dataclasses.replace(pool_of(["a", "b"], [[1], [2]]), totals=np.array([5.0, 6.0]))
    second = dataclasses.replace(pool_of(["c", "b"], [[3], [2]]), totals=np.array([7.0, 8.0]))
    merged = Pool.merge([first, second])
    assert merged.texts == ["a", "b", "c"]
    assert merged.totals is not None and merged.totals.tolist() == [5.0, 6.0, 7.0]
    assert Pool.merge([first, dataclasses.replace(second, totals=None)]).totals is None


def test_an_absent_feature_is_a_zero() -> None:
    first = pool_of(["a"], [[1, 0]], names=["f", "g"])
    second = pool_of(["a"], [[1]], names=["f"])
    assert Pool.merge([first, second]).n_candidates == 1
    assert Pool.merge([second, first]).n_candidates == 1


def test_without_texts_candidates_with_different_scores_are_kept() -> None:
    def scored(values: list[float]) -> Pool:
        return Pool.from_arrays(np.ones((1, 2, 1)), scores={"comet": values})

    merged = Pool.merge([scored([0.1, 0.2]), scored([0.2, 0.3])])
    assert merged.scores["comet"].tolist() == [0.1, 0.2, 0.3]


def test_known_statistics_follow() -> None:
    first = pool_of(["a b c d e", "x"], [[1], [2]], references=["a b c d e"])
    second = pool_of(["x", "a b"], [[2], [3]], references=["a b c d e"])
    expected = Pool.merge([first, second]).stats(Bleu())
    first.stats(Bleu())
    assert Pool.merge([first, second])._stats == {}
    second.stats(Bleu())
    merged = Pool.merge([first, second])
    assert np.array_equal(merged._stats[Bleu().signature], expected)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"texts": None}, "only one of them has texts"),
        ({"references": ()}, "they have 1 and 0 references"),
        ({"references": ["other"]}, "disagree on a reference of sentence '0': 'r' and 'other'"),
        ({"scores": {}}, r"they have the scores \['comet'\] and \[\]"),
    ],
)
def test_pools_must_agree_on_what_they_have(change: dict[str, Any], complaint: str) -> None:
    base: dict[str, Any] = {"texts": ["a"], "references": ["r"], "scores": {"comet": [0.5]}}
    first = Pool.from_arrays([[[1.0]]], **base)
    with pytest.raises(InputError, match=complaint):
        Pool.merge([first, Pool.from_arrays([[[1.0]]], **(base | change))])


def test_sources_must_agree() -> None:
    plain = pool_of(["a"], [[1]])
    first, other = (dataclasses.replace(plain, sources=plain.texts), pool_of(["b"], [[1]]))
    with pytest.raises(InputError, match="only one of them has sources"):
        Pool.merge([first, other])
    with pytest.raises(InputError, match="disagree on a source"):
        Pool.merge([first, dataclasses.replace(other, sources=other.texts)])


def test_nothing_and_repeated_ids_cannot_be_merged() -> None:
    with pytest.raises(InputError, match="no pools to merge"):
        Pool.merge([])
    with pytest.raises(InputError, match="two lists with the same id"):
        Pool.merge([Pool.from_arrays(np.ones((2, 1, 1)), ids=["a", "a"])])
