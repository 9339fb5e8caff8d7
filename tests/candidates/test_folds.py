from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import pools

from tunesmith.candidates import Pool
from tunesmith.errors import OptionError
from tunesmith.metrics.bleu import Bleu


@given(pools(references=1, max_lists=7), st.data(), st.booleans())
def test_every_sentence_is_held_out_once(pool: Pool, data: st.DataObject, contiguous: bool) -> None:
    if len(pool) < 2:
        return
    k = data.draw(st.integers(2, len(pool)))
    splits = pool.folds(k, contiguous=contiguous)
    assert sorted(name for fold in splits for name in fold.held_out.ids) == sorted(pool.ids)
    sizes = [len(fold.held_out) for fold in splits]
    assert max(sizes) - min(sizes) <= 1
    for train, held_out in splits:
        assert set(train.ids) | set(held_out.ids) == set(pool.ids)
        assert len(train) + len(held_out) == len(pool)
        for part in (train, held_out):
            rows = [int(name) for name in part.ids]
            assert rows == sorted(rows)
            assert part.references[0] == pool.references[0].take(rows)
            assert part.features.values.tolist() == pool.take_lists(rows).features.values.tolist()


def numbers(n: int) -> Pool:
    return Pool.from_arrays(np.arange(float(n)).reshape(n, 1, 1), texts=["a"] * n, references=["a"] * n)


def test_contiguous_folds_are_stretches() -> None:
    assert [fold.held_out.ids for fold in numbers(5).folds(2, contiguous=True)] == [
        ("0", "1", "2"),
        ("3", "4"),
    ]


def test_folds_follow_the_seed() -> None:
    first, again, other = (numbers(40).folds(4, seed=seed)[0].held_out.ids for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_known_statistics_follow() -> None:
    pool = numbers(6)
    stats = pool.stats(Bleu())
    for _, held_out in pool.folds(3):
        rows = [int(name) for name in held_out.ids]
        assert np.array_equal(held_out._stats[Bleu().signature], stats[rows])


@pytest.mark.parametrize("k", [0, 1, 4])
def test_the_number_of_folds_must_fit(k: int) -> None:
    with pytest.raises(OptionError, match="k must be from 2 to the number of sentences, 3, not"):
        numbers(3).folds(k)


@pytest.mark.parametrize("seed", [-1, 2**63])
def test_a_seed_must_be_one(seed: int) -> None:
    with pytest.raises(OptionError, match="seed must be a whole number"):
        numbers(3).folds(2, seed=seed)
