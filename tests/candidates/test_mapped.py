"""Pools in mapped files: the same bits come back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.random_pools import random_pool

from tunesmith.candidates.mapped import read_mapped, write_mapped
from tunesmith.candidates.pool import Pool
from tunesmith.errors import InputError
from tunesmith.metrics import Bleu
from tunesmith.texts import Texts


def rich_pool() -> Pool:
    pool = random_pool(3)
    rng = np.random.default_rng(1)
    return replace(
        pool,
        scores={"comet": rng.normal(size=pool.n_candidates), "über": rng.normal(size=pool.n_candidates)},
        sources=Texts.of(f"quelle ||| {i} שלום" for i in range(len(pool))),
        totals=rng.normal(size=pool.n_candidates) * 1e-300,
    )


@pytest.mark.parametrize("pool", [random_pool(1), random_pool(2, sparse=0), rich_pool()])
def test_a_pool_comes_back_bit_for_bit(pool: Pool, tmp_path: Path) -> None:
    write_mapped(pool, tmp_path / "a")
    back = read_mapped(tmp_path / "a")
    assert (back.ids, back.feature_names, back.texts) == (pool.ids, pool.feature_names, pool.texts)
    assert (back.references, back.sources) == (pool.references, pool.sources)
    assert back.offsets.tobytes() == pool.offsets.tobytes()
    for part in ("offsets", "columns", "values"):
        assert getattr(back.features, part).tobytes() == getattr(pool.features, part).tobytes()
    assert {name: column.tobytes() for name, column in back.scores.items()} == {
        name: column.tobytes() for name, column in pool.scores.items()
    }
    assert (back.totals is None) == (pool.totals is None)
    assert np.array_equal(back.stats(Bleu()), pool.stats(Bleu()))
    write_mapped(back, tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_parts_of_a_pool_are_written_as_the_whole(tmp_path: Path) -> None:
    pool = rich_pool()
    parts = [pool.take_lists(lists) for lists in ([0], range(1, len(pool) - 1), [len(pool) - 1])]
    write_mapped(pool, tmp_path / "whole")
    write_mapped(parts, tmp_path / "parts")
    assert (tmp_path / "parts").read_bytes() == (tmp_path / "whole").read_bytes()
    with pytest.raises(InputError, match="different features"):
        write_mapped([pool, random_pool(2, sparse=0)], tmp_path / "parts")


def test_a_pool_without_texts_comes_back(tmp_path: Path) -> None:
    pool = Pool.from_arrays([[1.0], [2.0]], offsets=[0, 2], scores={"score": [0.0, 1.0]})
    write_mapped(pool, tmp_path / "pool")
    back = read_mapped(tmp_path / "pool")
    assert back.texts is None
    assert back.scores["score"].tolist() == [0.0, 1.0]


@pytest.mark.parametrize("place", [0, 8, 100, -1])
def test_a_damaged_file_is_an_error(place: int, tmp_path: Path) -> None:
    path = tmp_path / "pool"
    write_mapped(random_pool(1), path)
    whole = bytearray(path.read_bytes())
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError):
        read_mapped(path)
    whole[place] ^= 0xFF
    path.write_bytes(whole)
    with pytest.raises(InputError):
        read_mapped(path)
