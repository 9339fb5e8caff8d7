from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis.extra.numpy import arrays
from tests.candidates.compare import assert_identical

from tunesmith.candidates import Pool
from tunesmith.errors import InputError, OptionError


def test_a_dense_array_is_lists_of_equal_size() -> None:
    pool = Pool.from_arrays(
        np.arange(12.0).reshape(2, 3, 2),
        names=["a", "b"],
        texts=[["t0", "t1", "t2"], ["t3", "t4", "t5"]],
        references=["r0", "r1"],
        scores={"comet": np.arange(6.0).reshape(2, 3)},
    )
    assert pool.offsets.tolist() == [0, 3, 6]
    assert pool.feature_names == ("a", "b")
    assert pool.features.to_dense().tolist() == np.arange(12.0).reshape(6, 2).tolist()
    assert pool.texts == ["t0", "t1", "t2", "t3", "t4", "t5"]
    assert [list(reference) for reference in pool.references] == [["r0", "r1"]]
    assert pool.scores["comet"].tolist() == [0, 1, 2, 3, 4, 5]
    assert pool.ids == ("0", "1")


def test_nothing_is_copied_where_the_types_fit() -> None:
    dense, scores = np.ones((2, 3, 4)), np.ones(6)
    pool = Pool.from_arrays(dense, scores={"s": scores})
    assert np.shares_memory(pool.features.values, dense)
    assert np.shares_memory(pool.scores["s"], scores)
    assert dense.flags.writeable and scores.flags.writeable


def test_what_is_done_to_a_scipy_matrix_or_to_offsets_later_does_not_reach_the_pool() -> None:
    data, places, borders = np.array([0.0, 2.0, 3.0]), np.array([0, 1, 0]), np.array([0, 2, 3])
    matrix = scipy.sparse.csr_array((data, places, borders), shape=(2, 2))
    offsets = np.array([0, 1, 2])
    pool = Pool.from_arrays(matrix, offsets=offsets)
    matrix.eliminate_zeros()
    matrix.indices[:] = 1_000_000
    offsets[:] = 1_000_000
    assert pool.features.to_dense().tolist() == [[0.0, 2.0], [3.0, 0.0]]
    assert pool.features.dot(np.array([1.0, 10.0])).tolist() == [20.0, 3.0]
    assert pool.best(np.ones(2)).tolist() == [0, 1]


@given(arrays(np.float64, (5, 3), elements={"allow_nan": False, "allow_infinity": False}))
def test_ragged_lists_are_told_by_offsets_or_groups(matrix: Any) -> None:
    by_offsets = Pool.from_arrays(matrix, offsets=[0, 2, 5])
    by_groups = Pool.from_arrays(matrix, groups=[0, 0, 1, 1, 1])
    assert_identical(by_groups, by_offsets)
    assert np.array_equal(by_offsets.features.to_dense(), matrix)


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "lil"])
def test_any_scipy_matrix_is_taken_and_left_as_it_was(kind: str) -> None:
    dense = np.array([[0.0, 1.5, 0.0], [2.0, 0.0, -3.0]])
    matrix = scipy.sparse.csr_array(dense).asformat(kind)
    pool = Pool.from_arrays(matrix, groups=["x", "y"])
    assert pool.features.to_dense().tolist() == dense.tolist()
    assert len(pool.features.values) == 3
    assert pool.ids == ("x", "y")


def test_repeated_and_unsorted_entries_are_summed_in_a_copy() -> None:
    matrix = scipy.sparse.csr_array(
        (np.array([1.0, 2.0, 4.0]), np.array([2, 0, 2]), np.array([0, 3])), shape=(1, 3)
    )
    assert Pool.from_arrays(matrix, offsets=[0, 1]).features.to_dense().tolist() == [[2.0, 0.0, 5.0]]
    assert matrix.indices.tolist() == [2, 0, 2]


def test_numbers_of_other_types_are_converted() -> None:
    pool = Pool.from_arrays(np.ones((3, 2), dtype=np.float32), offsets=np.array([0, 3], dtype=np.uint8))
    assert (pool.features.values.dtype, pool.offsets.dtype) == (np.float64, np.int64)


@pytest.mark.parametrize(
    ("features", "options", "complaint"),
    [
        (np.ones(3), {}, r"expected an array \[lists, candidates, features\] .* found one of shape \(3,\)"),
        (np.ones((1, 1, 1, 1)), {}, r"found one of shape \(1, 1, 1, 1\)"),
        ([[[1.0], [1.0, 2.0]]], {}, "features: expected an array of numbers"),
        ([[["x"]]], {}, "features: expected an array of numbers"),
        (np.ones((2, 2, 2)), {"scores": {"c": [1.0, "x"]}}, "score 'c': expected an array of numbers"),
        (np.ones((2, 2, 2)), {"names": ["a"]}, "1 names for 2 features"),
        (np.ones((2, 2, 2)), {"names": ["a", "a"]}, "two features are named 'a'"),
        (np.ones((2, 2, 2)), {"texts": ["a"]}, "1 texts for 4 rows"),
        (np.ones((2, 2, 2)), {"texts": ["a", "b", "c", 4]}, "text 3 is 4; expected a string"),
        (np.ones((2, 2, 2)), {"references": ["a"]}, "reference 0 has 1 texts for 2 lists"),
        (np.ones((2, 2, 2)), {"references": [["a", "b"], ["c"]]}, "reference 1 has 1 texts for 2 lists"),
        (np.ones((2, 2, 2)), {"scores": {"c": [1.0]}}, r"score 'c': an array of shape \(1,\) for 4 rows"),
        (
            np.ones((2, 3, 1)),
            {"scores": {"c": np.ones((3, 2))}},
            r"shape \(3, 2\) .* expected \(6,\) or \(2, 3\)",
        ),
        (np.ones((2, 3, 1)), {"scores": {"c": np.ones((6, 1))}}, r"an array of shape \(6, 1\)"),
        (np.ones((6, 1)), {"groups": [0] * 6, "scores": {"c": np.ones((2, 3))}}, r"shape \(2, 3\)"),
        (np.ones((2, 3, 1)), {"texts": [["a", "b"]] * 3}, "3 lists of texts for 2 lists of candidates"),
        (np.ones((2, 3, 1)), {"texts": [["a"] * 2, ["a"] * 4]}, "list 0 is 2 texts; expected 3 texts"),
        (np.ones((2, 3, 1)), {"texts": [["a"] * 3, "abc"]}, "list 1 is 'abc'; expected 3 texts"),
        (np.ones((6, 1)), {"groups": [0] * 6, "texts": [["a"] * 3] * 2}, "expected one text per row"),
        (np.ones((2, 2, 2)), {"texts": [4, "b", "c", "d"]}, "text 0 is 4; expected a string"),
        (np.ones((2, 2, 2)), {"scores": {"c": [1, 2, np.nan, 4]}}, "score 'c' of candidate 2 is not finite"),
        (np.ones((2, 2, 2)), {"ids": ["a"]}, "1 ids for 2 candidate lists"),
        (np.ones((0, 2, 2)), {}, "a pool needs at least one candidate list"),
        (np.ones((2, 0, 2)), {}, "sentence '0' has no candidates"),
        (np.full((1, 1, 1), np.inf), {}, "candidate 0: feature 0 is inf"),
        (np.ones((3, 2)), {"offsets": [0, 2]}, "offsets end at 2, expected 3"),
        (np.ones((3, 2)), {"offsets": [0, 2, 1, 3]}, "offsets fall at index 2"),
        (np.ones((3, 2)), {"offsets": [0.0, 3.0]}, "offsets: expected whole numbers, found float64"),
        (np.ones((3, 2)), {"groups": [1, 2]}, "2 groups for 3 rows"),
        (np.ones((3, 2)), {"groups": [1, 2, 1]}, "group '1' occurs again at row 2"),
        (np.ones((3, 2)), {"groups": [[1, 2, 3]]}, r"groups: expected one value per row, .* \(1, 3\)"),
        (np.ones((0, 2)), {"groups": []}, "a pool needs at least one candidate list"),
    ],
)
def test_shapes_that_do_not_fit_are_told(features: Any, options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        Pool.from_arrays(features, **options)


@pytest.mark.parametrize(
    ("features", "options"),
    [
        (np.ones((3, 2)), {}),
        (np.ones((3, 2)), {"offsets": [0, 3], "groups": [1, 1, 1]}),
        (np.ones((1, 3, 2)), {"offsets": [0, 3]}),
        (np.ones((1, 3, 2)), {"groups": [0]}),
    ],
)
def test_lists_are_told_in_exactly_one_way(features: Any, options: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match=r"offsets.*groups"):
        Pool.from_arrays(features, **options)


def test_whole_numbers_that_are_floats_are_the_same_ids() -> None:
    rows = np.ones((3, 1))
    assert Pool.from_arrays(rows, groups=[0.0, 2.0, 2.0]).ids == ("0", "2")
    assert Pool.from_arrays(rows, offsets=[0, 3], ids=[7.0]).ids == ("7",)
    assert Pool.from_records([{"id": 4.0, "f": 1}, {"id": 4.5, "f": 1}]).ids == ("4", "4.5")
