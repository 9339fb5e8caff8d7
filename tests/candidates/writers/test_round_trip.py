from __future__ import annotations

import csv
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.candidates.compare import assert_identical, candidates
from tests.strategies import any_text, pools

from tunesmith.candidates import Pool
from tunesmith.errors import InputError

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


@settings(deadline=None)
@given(anything | without_texts)
def test_csv_gives_back_every_pool(pool: Pool) -> None:
    assert_identical(round_trip(pool, "pool.csv"), pool)


plain = st.text(st.characters(exclude_categories=["Cs"], exclude_characters='\t\r\n"'), max_size=12)


@settings(deadline=None)
@given(pools(texts=plain, names=plain, references=1) | pools(names=plain, references=0, totals=True))
def test_tsv_gives_back_pools_without_tabs_and_line_ends(pool: Pool) -> None:
    assert_identical(round_trip(pool, "pool.tsv"), pool)


def test_pandas_and_pythons_csv_read_what_is_written(tmp_path: Path) -> None:
    texts = ['the "small", house', "line\nline\r", "ü"]
    pool = Pool.from_arrays(
        [[1.5, -2.0], [0.1, 3e300], [0.25, 0.0]], offsets=[0, 2, 3], texts=texts, references=["a, c", "[d]"]
    )
    pool.write(tmp_path / "pool.csv")
    frame = pd.read_csv(tmp_path / "pool.csv")
    assert frame.columns.tolist() == ["id", "text", "references", "f0", "f1"]
    assert frame["f1"].tolist() == [-2.0, 3e300, 0.0]
    with (tmp_path / "pool.csv").open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["text"] for row in rows] == texts
    assert rows[0]["references"] == "a, c"


def test_what_a_table_cannot_represent_is_refused(tmp_path: Path) -> None:
    pool = Pool.from_arrays([[[1.0], [2.0]]], names=["score:comet"], texts=["a\tb", "c"])
    with pytest.raises(InputError, match=r"a feature is named 'score:comet'.*write jsonl or parquet"):
        pool.write(tmp_path / "x.csv")
    renamed = Pool.from_arrays([[[1.0], [2.0]]], names=["lm"], texts=["a\tb", "c"])
    with pytest.raises(InputError, match=r"tab or line end in 'a\\tb'; write csv or jsonl"):
        renamed.write(tmp_path / "x.tsv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("format_name", ["moses", "cdec"])
@given(pool=pools(references=0) | pools(references=0, totals=True) | pools(references=0, dense=True))
def test_moses_and_cdec_give_back_texts_features_and_totals(format_name: str, pool: Pool) -> None:
    found = round_trip(pool, "pool.nbest", format_name)
    assert candidates(found) == candidates(pool)
    assert found.ids == pool.ids
    assert np.array_equal(found.totals, pool.totals)


@pytest.mark.parametrize("suffix", ["", ".gz", ".bz2", ".xz", ".zst"])
@pytest.mark.parametrize("name", ["pool.jsonl", "pool.parquet", "pool.csv"])
def test_every_compression_gives_back_the_pool(name: str, suffix: str) -> None:
    pool = Pool.from_arrays([[[1.5, -2.0], [0.25, 3.0]]], texts=["a b", ""], references=["a c"])
    assert_identical(round_trip(pool, name + suffix), pool)
