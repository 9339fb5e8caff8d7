from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.candidates.compare import assert_identical, candidates
from tests.strategies import pools

from tunesmith.candidates import Pool
from tunesmith.errors import OptionError


@given(pools(extras=True), st.integers(1, 5))
def test_the_head_is_the_first_candidates(pool: Pool, n: int) -> None:
    assert candidates(pool.head(n)) == [rows[:n] for rows in candidates(pool)]


@given(pools(extras=True, max_size=6), st.integers(1, 7), st.integers(0, 9))
def test_a_sample_is_n_candidates_in_their_order(pool: Pool, n: int, seed: int) -> None:
    numbered = Pool(pool.ids, pool.offsets, pool.features, totals=np.arange(float(pool.n_candidates)))
    sampled = numbered.sample(n, seed)
    assert np.diff(sampled.offsets).tolist() == np.minimum(np.diff(pool.offsets), n).tolist()
    assert sampled.totals is not None and (np.diff(sampled.totals) > 0).all()
    lists = np.searchsorted(pool.offsets, sampled.totals, side="right") - 1
    assert lists.tolist() == np.repeat(np.arange(len(pool)), np.diff(sampled.offsets)).tolist()
    assert_identical(pool.sample(n, seed), pool.take_rows(sampled.totals.astype(np.int64)))


def test_every_candidate_is_drawn_as_often_as_others() -> None:
    pool = Pool.from_arrays(np.arange(2000.0 * 5).reshape(2000, 5, 1))
    drawn = pool.sample(2, seed=7).features.values % 5
    counts = np.bincount(drawn.astype(int), minlength=5)
    assert counts.sum() == 4000
    expected, deviation = 800, np.sqrt(2000 * 0.4 * 0.6)
    assert np.abs(counts - expected).max() < 4 * deviation


def test_seeds_differ_and_repeat() -> None:
    pool = Pool.from_arrays(np.arange(400.0).reshape(4, 100, 1))
    assert pool.sample(3, 1).features.values.tolist() == pool.sample(3, 1).features.values.tolist()
    assert pool.sample(3, 1).features.values.tolist() != pool.sample(3, 2).features.values.tolist()


@pytest.mark.parametrize("n", [0, -1])
def test_at_least_one_candidate_must_be_asked_for(n: int) -> None:
    pool = Pool.from_arrays([[[1.0]]])
    with pytest.raises(OptionError, match="n must be at least 1"):
        pool.head(n)
    with pytest.raises(OptionError, match="n must be at least 1"):
        pool.sample(n)


@pytest.mark.parametrize("seed", [-1, 2**63])
def test_a_seed_must_be_one(seed: int) -> None:
    with pytest.raises(OptionError, match="seed must be a whole number"):
        Pool.from_arrays([[[1.0]]]).sample(1, seed=seed)
