from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from tests.candidates.compare import assert_identical, candidates
from tests.strategies import any_text, pools

from tunesmith.candidates import Pool

anything = pools(texts=any_text, names=any_text, ids=any_text, extras=True)
without_texts = pools(texts=None, names=any_text, ids=any_text, extras=True)


def round_trip(pool: Pool, name: str, format_name: str | None = None) -> Pool:
    with tempfile.TemporaryDirectory() as folder:
        pool.write(Path(folder) / name, format_name)
        return Pool.read(Path(folder) / name)


@given(anything | without_texts)
def test_jsonl_gives_back_every_pool(pool: Pool) -> None:
    assert_identical(round_trip(pool, "pool.jsonl"), pool)


@settings(deadline=None)
@given(anything | without_texts)
def test_parquet_gives_back_every_pool(pool: Pool) -> None:
    assert_identical(round_trip(pool, "pool.parquet"), pool)


@pytest.mark.parametrize("format_name", ["moses", "cdec"])
@given(pool=pools(references=0) | pools(references=0, totals=True) | pools(references=0, dense=True))
def test_moses_and_cdec_give_back_texts_features_and_totals(format_name: str, pool: Pool) -> None:
    found = round_trip(pool, "pool.nbest", format_name)
    assert candidates(found) == candidates(pool)
    assert found.ids == pool.ids
    assert np.array_equal(found.totals, pool.totals)


@pytest.mark.parametrize("suffix", ["", ".gz", ".bz2", ".xz", ".zst"])
@pytest.mark.parametrize("name", ["pool.jsonl", "pool.parquet"])
def test_every_compression_gives_back_the_pool(name: str, suffix: str) -> None:
    pool = Pool.from_arrays([[[1.5, -2.0], [0.25, 3.0]]], texts=["a b", ""], references=["a c"])
    assert_identical(round_trip(pool, name + suffix), pool)
