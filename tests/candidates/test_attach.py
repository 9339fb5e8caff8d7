from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.random_pools import random_pool
from tests.strategies import pools

from tunesmith import tune
from tunesmith.candidates import Pool
from tunesmith.errors import InputError, OptionError

POOL = random_pool(5, lists=6)
COUNT = POOL.n_candidates


@given(pools(), st.integers(1, 3))
def test_new_features_come_after_the_old_ones_in_every_candidate(pool: Pool, count: int) -> None:
    matrix = np.arange(pool.n_candidates * count, dtype=np.float64).reshape(-1, count)
    names = [f"new {i}" for i in range(count)]
    wider = pool.with_features(matrix, names)
    assert wider.feature_names == (*pool.feature_names, *names)
    np.testing.assert_array_equal(
        wider.features.to_dense(), np.column_stack([pool.features.to_dense(), matrix])
    )
    assert wider.features.dense[-count:].all()
    assert (wider.ids, wider.texts, wider.references) == (pool.ids, pool.texts, pool.references)


def test_features_are_given_by_name_by_mapping_or_as_a_matrix() -> None:
    length = np.array([len(text.split()) for text in POOL.texts or ()])
    by_name = POOL.with_features(length=length, half=length / 2)
    by_mapping = POOL.with_features({"length": length.tolist()}, half=length / 2)
    as_matrix = POOL.with_features(np.stack([length, length / 2], axis=1), ["length", "half"])
    for other in (by_mapping, as_matrix):
        assert other.feature_names == by_name.feature_names
        np.testing.assert_array_equal(other.features.to_dense(), by_name.features.to_dense())
    assert "length" in tune(by_name, "mira", epochs=1).weights


def test_scores_can_be_tuned_for() -> None:
    comet = np.linspace(0, 1, COUNT)
    pool = POOL.with_scores(comet=comet)
    np.testing.assert_array_equal(pool.scores["comet"], comet)
    assert not POOL.scores
    assert tune(pool, "mira", "precomputed('comet')", epochs=2).score > 0
    assert set(pool.with_scores({"my score": comet}).scores) == {"comet", "my score"}


def test_the_callers_array_is_not_shared() -> None:
    comet = np.zeros(COUNT)
    pool = POOL.with_scores(comet=comet)
    comet[0] = 9.0
    assert pool.scores["comet"][0] == 0.0


@pytest.mark.parametrize(
    ("values", "columns", "error", "complaint"),
    [
        ([], {"x": np.zeros(3)}, InputError, rf"feature 'x': an array of shape \(3,\) for {COUNT} cand"),
        ([], {"x": np.full(COUNT, np.nan)}, InputError, "'x' of candidate 0 .sentence '0'. is nan"),
        ([], {"x": ["a"] * COUNT}, InputError, "feature 'x': expected an array of numbers"),
        ([], {"f0": np.zeros(COUNT)}, InputError, "already has a feature named 'f0'"),
        ([], {}, OptionError, "no features were given"),
        ([np.zeros((COUNT, 2))], {}, OptionError, "needs names"),
        ([np.zeros((COUNT, 2)), ["x"]], {}, InputError, "1 names for 2 features"),
        ([np.zeros((COUNT, 2)), ["x", "x"]], {}, InputError, "two features are named 'x'"),
        ([np.zeros((COUNT, 1)), ["x"]], {"x": np.zeros(COUNT)}, InputError, "two features are named 'x'"),
        ([np.zeros(COUNT), ["x"]], {}, InputError, "give an array of one feature by its name"),
        ([{"x": np.zeros(COUNT)}, ["x"]], {}, OptionError, "names belong to a matrix"),
    ],
)
def test_bad_features_are_refused(
    values: list[Any], columns: dict[str, Any], error: type[Exception], complaint: str
) -> None:
    with pytest.raises(error, match=complaint):
        POOL.with_features(*values, **columns)


def test_bad_scores_are_refused() -> None:
    with pytest.raises(InputError, match="score 'x': an array of shape"):
        POOL.with_scores(x=[1.0])
    with pytest.raises(InputError, match="already has a score named 'x'"):
        POOL.with_scores(x=np.zeros(COUNT)).with_scores(x=np.zeros(COUNT))
    with pytest.raises(OptionError, match="no scores were given"):
        POOL.with_scores()


UNSORTED = "".join(f"{name} ||| t{row} ||| f= {row} ||| 0\n" for row, name in enumerate([2, 2, 0, 1, 1]))


def test_values_in_the_order_of_an_unsorted_file_belong_to_its_candidates(tmp_path: Path) -> None:
    (tmp_path / "x.nbest").write_text(UNSORTED)
    pool = Pool.read(tmp_path / "x.nbest")
    assert pool.texts == ["t2", "t3", "t4", "t0", "t1"]
    assert pool.file_rows is not None and pool.file_rows.tolist() == [2, 3, 4, 0, 1]
    of_file = np.arange(5.0)
    of_pool = [float(text[1:]) for text in pool.texts]
    for attach, read in (
        (pool.with_scores, lambda found: found.scores["c"].tolist()),
        (pool.with_features, lambda found: found.features.to_dense()[:, -1].tolist()),
    ):
        assert read(attach(c=of_file, order="file")) == of_pool
        assert read(attach({"c": of_file}, order="file")) == of_pool
        assert read(attach(c=of_pool, order="pool")) == of_pool
        with pytest.raises(OptionError, match="say by order whether values are in the order of the 'pool'"):
            attach(c=of_file)
        with pytest.raises(OptionError, match="order is 'pool' or 'file'; give a column that is named so"):
            attach(order=of_file)
    smaller = pool.take_lists([2, 0])
    assert smaller.texts == ["t0", "t1", "t2"]
    assert smaller.with_scores(c=[0.0, 1.0, 2.0], order="file").scores["c"].tolist() == [0.0, 1.0, 2.0]
    assert pickle.loads(pickle.dumps(pool)).file_rows.tolist() == [2, 3, 4, 0, 1]


def test_values_in_the_order_of_several_files_belong_to_their_candidates(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("0 ||| a0 ||| f= 0 ||| 0\n1 ||| a1 ||| f= 1 ||| 0\n")
    (tmp_path / "b").write_text("1 ||| b1 ||| f= 3 ||| 0\n0 ||| b0 ||| f= 4 ||| 0\n")
    pool = Pool.read([tmp_path / "a", tmp_path / "b"])
    assert pool.texts == ["a0", "b0", "a1", "b1"]
    found = pool.with_scores(c=[0.0, 1.0, 3.0, 4.0], order="file").scores["c"]
    assert found.tolist() == pool.features.values.tolist()
    with pytest.raises(OptionError, match="or joined with those of other files"):
        pool.with_scores(c=np.zeros(4))


def test_merged_pools_know_the_rows_of_their_files(tmp_path: Path) -> None:
    (tmp_path / "x.nbest").write_text(UNSORTED)
    unsorted = Pool.read(tmp_path / "x.nbest")
    for parts in ([unsorted], [unsorted.take_lists([1, 2]), unsorted.take_lists([0])]):
        merged = Pool.merge(parts)
        of_pool = [float(text[1:]) for text in merged.texts or ()]
        with pytest.raises(OptionError, match="say by order"):
            merged.with_scores(c=np.arange(5.0))
        assert merged.with_scores(c=of_pool, order="pool").scores["c"].tolist() == of_pool
    of_file = Pool.merge([unsorted]).with_scores(c=np.arange(5.0), order="file")
    assert of_file.scores["c"].tolist() == of_file.features.values.tolist() == [2.0, 3.0, 4.0, 0.0, 1.0]


def test_merged_pools_that_share_lists_are_in_no_order_of_files() -> None:
    first, second = (
        Pool.from_arrays(np.array([[row], [row + 1.0]]), offsets=[0, 1, 2]) for row in (0.0, 2.0)
    )
    merged = Pool.merge([first, second])
    assert merged.features.values.tolist() == [0.0, 2.0, 1.0, 3.0]
    with pytest.raises(OptionError, match="say by order"):
        merged.with_scores(c=np.arange(4.0))
    found = merged.with_scores(c=np.arange(4.0), order="file")
    assert found.scores["c"].tolist() == [0.0, 2.0, 1.0, 3.0]


def test_lists_taken_in_another_order_keep_the_rows_of_the_file() -> None:
    pool = Pool.from_arrays(np.arange(5.0)[:, None], offsets=[0, 2, 3, 5])
    turned = pool.take_lists([2, 0])
    assert turned.features.values.tolist() == [3.0, 4.0, 0.0, 1.0]
    with pytest.raises(OptionError, match="say by order"):
        turned.with_scores(c=np.arange(4.0))
    found = turned.with_scores(c=[0.0, 1.0, 3.0, 4.0], order="file")
    assert found.scores["c"].tolist() == found.features.values.tolist()
    for part in (pool.head(1), pool.sample(1), pool.take_lists([0, 2]), *pool.folds(2)[0]):
        assert part.file_rows is None and part.with_scores(c=np.zeros(part.n_candidates)).scores


def test_the_order_need_not_be_said_where_there_is_only_one(tmp_path: Path) -> None:
    (tmp_path / "x.nbest").write_text("".join(sorted(UNSORTED.splitlines(keepends=True))))
    pool = Pool.read(tmp_path / "x.nbest")
    assert pool.file_rows is None
    for order in (None, "pool", "file"):
        assert pool.with_scores(c=np.arange(5.0), order=order).scores["c"].tolist() == [0, 1, 2, 3, 4]
