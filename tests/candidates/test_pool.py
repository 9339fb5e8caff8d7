from __future__ import annotations

import dataclasses
import pickle
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.candidates.compare import assert_identical, candidates
from tests.random_pools import random_pool
from tests.strategies import pools, small_number

from tunesmith.candidates import Pool, rerank
from tunesmith.candidates.features import Features
from tunesmith.candidates.pool import first_maximum
from tunesmith.errors import InputError
from tunesmith.metrics import PrecomputedStats, Ter, get_metric
from tunesmith.metrics.base import Metric, Segments
from tunesmith.metrics.ratio import Ratio
from tunesmith.texts import Texts
from tunesmith.types import Stats

full = pools(extras=True, totals=True)


@dataclasses.dataclass(frozen=True)
class Count(Ratio, Metric):
    """Statistics that need neither texts nor references."""

    name: ClassVar[str] = "count"

    def measure(self, segments: Segments, threads: int = 1) -> Stats:
        return np.ones((int(segments.offsets[-1]), 2))


def test_statistics_take_the_name_of_a_metric() -> None:
    pool = Pool.from_arrays(np.zeros((1, 2, 1)), texts=[["a b", "a"]], references=["a b"])
    assert pool.stats("bleu") is pool.stats(get_metric("bleu"))
    np.testing.assert_array_equal(pool.stats("chrf"), pool.stats(get_metric("chrf")))


def test_the_text_form_names_the_first_features() -> None:
    few = Pool.from_arrays(np.zeros((1, 2, 2)), names=["lm", "tm"])
    assert repr(few) == "<Pool: 1 lists, 2 candidates, 2 features (lm, tm)>"
    many = Pool.from_arrays(np.zeros((1, 2, 8)))
    assert repr(many).endswith("8 features (f0, f1, f2, f3, f4 ... and 3 more)>")


@given(full, st.data())
def test_chosen_lists_keep_all_that_belongs_to_them(pool: Pool, data: st.DataObject) -> None:
    lists = data.draw(st.lists(st.sampled_from(range(len(pool))), min_size=1))
    part = pool.take_lists(lists)
    assert candidates(part) == [candidates(pool)[g] for g in lists]
    assert part.ids == tuple(pool.ids[g] for g in lists)
    assert [list(reference) for reference in part.references] == [
        [reference[g] for g in lists] for reference in pool.references
    ]
    rows = np.concatenate([np.arange(pool.offsets[g], pool.offsets[g + 1]) for g in lists])
    assert np.array_equal(part.totals, pool.totals[rows])  # type: ignore[index]
    for name, column in pool.scores.items():
        assert np.array_equal(part.scores[name], column[rows])
    assert part.sources == (None if pool.sources is None else pool.sources.take(lists))


@given(pools(values=small_number, dense=True), st.data())
def test_the_best_candidate_is_the_first_of_the_largest(pool: Pool, data: st.DataObject) -> None:
    weights = np.array(
        data.draw(st.lists(small_number, min_size=pool.features.width, max_size=pool.features.width))
    )
    scores = pool.features.to_dense() @ weights
    expected = [
        int(pool.offsets[g]) + int(np.argmax(scores[pool.offsets[g] : pool.offsets[g + 1]]))
        for g in range(len(pool))
    ]
    assert pool.best(weights).tolist() == expected


def test_model_scores_that_overflow_are_refused() -> None:
    pool = Pool.from_arrays(np.array([[[1.0, 0.0], [1.0, 2.0]], [[1.0, 1.0], [1e200, -1e200]]]))
    for choose in (pool.best, pool.features.dot, lambda weights: rerank(pool, weights)):
        with pytest.raises(InputError, match=r"the model score of candidate 3 is (inf|nan)"):
            choose(np.array([1e200, 1e200]))
    with pytest.raises(InputError, match="the model score of candidate 0 is nan"):
        pool.best(np.array([np.nan, 1.0]))
    with pytest.raises(InputError, match="the model score of candidate 1 is nan"):
        first_maximum(np.array([1.0, np.nan]), np.array([0, 1, 2]))


@given(full)
def test_pools_survive_pickling(pool: Pool) -> None:
    assert_identical(pickle.loads(pickle.dumps(pool)), pool)


def base() -> Pool:
    return Pool.from_arrays(np.ones((2, 2, 1)), texts=["a", "b", "c", "d"], references=["r", "s"])


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"ids": ("0",)}, "1 ids for 2 candidate lists"),
        ({"ids": ("0",), "offsets": np.array([0, 0, 4])}, "1 ids for 2 candidate lists"),
        ({"offsets": np.array([0, 0, 4])}, "sentence '0' has no candidates"),
        ({"offsets": np.array([0, 4, 3])}, "offsets fall at index 2"),
        ({"offsets": np.array([0, 2, 5])}, "offsets end at 5, expected 4"),
        ({"offsets": np.array([0])}, "offsets end at 0, expected 4"),
        ({"texts": Texts.of(["a"])}, "1 texts for 4 candidates"),
        ({"references": (Texts.of(["a"]),)}, "a reference has 1 lines for 2 sentences"),
        ({"sources": Texts.of(["a"])}, "a source has 1 lines for 2 sentences"),
        ({"totals": np.ones(3)}, r"total: an array of shape \(3,\) for 4 candidates"),
        ({"totals": np.array([1, 2, 3, np.nan])}, "total of candidate 3 is not finite"),
        ({"scores": {"c": np.ones((4, 1))}}, r"score 'c': an array of shape \(4, 1\) for 4 candidates"),
    ],
)
def test_parts_that_do_not_fit_are_refused(change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        dataclasses.replace(base(), **change)


@pytest.mark.parametrize(
    ("columns", "complaint"),
    [
        ([0, 2], "feature index 2 is outside 0..2"),
        ([-1, 0], "feature index -1"),
        ([1, 0], "expected them to rise"),
        ([1, 1], "expected them to rise"),
    ],
)
def test_feature_columns_rise_within_the_names(columns: list[int], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        Features(("a", "b"), np.array([0, 2]), np.array(columns, dtype=np.int32), np.ones(2))


def test_rows_of_features_are_taken_in_any_order() -> None:
    features = Features.from_dense([[1.0, 2.0], [3.0, 4.0]])
    assert features.take([1, 0, 1]).to_dense().tolist() == [[3.0, 4.0], [1.0, 2.0], [3.0, 4.0]]
    with pytest.raises(InputError, match="row 2 is outside"):
        features.take([2])


def test_columns_that_are_corrupted_later_do_not_reach_native_code() -> None:
    columns, offsets = np.array([0, 1], dtype=np.int32), np.array([0, 2])
    features = Features(("a", "b"), offsets, columns, np.ones(2))
    columns[:] = offsets[:] = 1_000_000_000
    assert features.dot(np.array([1.0, 2.0])).tolist() == [3.0]


def arrays_of(pool: Pool) -> list[np.ndarray[Any, Any]]:
    features = pool.features
    found = [pool.offsets, features.offsets, features.columns, features.values, features.dense]
    for texts in (pool.texts, pool.sources, *pool.references):
        found += [] if texts is None else [texts.blob, texts.offsets]
    return [
        *found,
        *pool.scores.values(),
        *([] if pool.totals is None else [pool.totals]),
        pool.stats(Count()),
    ]


@given(full)
def test_no_array_of_a_pool_can_be_written(pool: Pool) -> None:
    pool.stats(Count())
    ways = [pool, pickle.loads(pickle.dumps(pool)), pool.take_lists([0]), Pool.merge([pool, pool])]
    for one in ways:
        assert not any(array.flags.writeable for array in arrays_of(one))
        with pytest.raises(TypeError):
            one.scores["new"] = np.zeros(one.n_candidates)  # type: ignore[index]


def test_the_arrays_of_the_caller_stay_writable() -> None:
    totals, scores, values = np.zeros(4), np.zeros(4), np.ones((2, 2, 1))
    pool = Pool.from_arrays(values, texts=["a", "b", "c", "d"], scores={"s": scores})
    dataclasses.replace(pool, totals=totals)
    for array in (totals, scores, values):
        array[:] = 2.0


@pytest.mark.parametrize(
    "metric", ["bleu", "chrf", "ter", "wer(lowercase=True)", "0.5*bleu + 0.5*precomputed"]
)
def test_a_metric_of_texts_refuses_candidates_without_texts(metric: str) -> None:
    pool = Pool.from_arrays(np.ones((2, 2, 1)), references=["r", "s"], scores={"score": np.arange(4.0)})
    with pytest.raises(InputError, match="these candidates have no texts"):
        pool.stats(get_metric(metric))


def test_precomputed_metrics_need_no_texts() -> None:
    pool = Pool.from_arrays(np.ones((2, 2, 1)), scores={"score": np.arange(4.0)})
    assert pool.stats(get_metric("precomputed"))[:, 0].tolist() == [0, 1, 2, 3]
    table = np.arange(8.0).reshape(4, 2)
    assert pool.stats(PrecomputedStats(table, Ter())).tolist() == table.tolist()


def test_the_cached_rows_of_the_best_candidates_cannot_be_changed() -> None:
    pool = random_pool(1, lists=5)
    weights = np.ones(len(pool.feature_names))
    first = pool.best(weights)
    with pytest.raises(ValueError, match="read-only"):
        first[0] = 1
    assert pool.best(weights) is first
    assert not np.array_equal(pool.best(-weights), first)
    assert np.array_equal(pool.best(weights), first)
