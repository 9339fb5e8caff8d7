from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from tests.candidates.compare import candidates
from tests.strategies import pools

from tunesmith.candidates import Pool
from tunesmith.errors import InputError, OptionError


def written(pool: Pool, folder: Path, format_name: str = "moses") -> str:
    pool.write(folder / "x", format_name)
    return (folder / "x").read_text()


def dense(names: list[str], **more: Any) -> Pool:
    return Pool.from_arrays(
        np.arange(float(len(names)))[None, None], names=names, **({"texts": ["t"]} | more)
    )


@pytest.mark.parametrize(
    ("names", "features"),
    [
        (["LM", "TM_0", "TM_1", "W"], "LM= 0 TM= 1 2 W= 3"),
        (["TM_0", "LM", "TM_1"], "TM_0= 0 LM= 1 TM_1= 2"),
        (["TM_1", "TM_0"], "TM_1= 0 TM_0= 1"),
        (["TM_0"], "TM_0= 0"),
        (["TM_0", "TM_1", "TM"], "TM_0= 0 TM_1= 1 TM= 2"),
        (["_0", "_1"], "_0= 0 _1= 1"),
        (["A_0_0", "A_0_1", "A_1"], "A_0= 0 1 A_1= 2"),
        (["A_0", "A_1", "A_3"], "A= 0 1 A_3= 2"),
        (["A_0", "A_1", "A_0_0", "A_0_1"], "A= 0 1 A_0_0= 2 A_0_1= 3"),
    ],
)
def test_names_that_form_a_run_are_one_label(tmp_path: Path, names: list[str], features: str) -> None:
    pool = dense(names)
    assert written(pool, tmp_path) == f"0 ||| t ||| {features}\n"
    assert candidates(Pool.read(tmp_path / "x", format="moses")) == candidates(pool)


def test_a_run_that_is_not_always_whole_is_written_one_by_one(tmp_path: Path) -> None:
    matrix = scipy.sparse.csr_array(np.array([[1.0, 2.0], [3.0, 0.0]]))
    pool = Pool.from_arrays(matrix, offsets=[0, 2], names=["A_0", "A_1"], texts=["x", "y"])
    assert written(pool, tmp_path) == "0 ||| x ||| A_0= 1 A_1= 2\n0 ||| y ||| A_0= 3\n"


few_names = st.sampled_from(["A", "A_0", "A_1", "A_2", "A_0_0", "A_0_1", "B_0", "B_1"])


@given(pools(names=few_names, max_features=8, references=0))
def test_features_with_names_like_labels_come_back(
    tmp_path_factory: pytest.TempPathFactory, pool: Pool
) -> None:
    path = tmp_path_factory.getbasetemp() / "labels"
    pool.write(path, "moses")
    assert candidates(Pool.read(path, format="moses")) == candidates(pool)


def test_a_list_of_moses_is_written_as_it_was(shared_data: Path, tmp_path: Path) -> None:
    path = shared_data / "moses" / "val.default.nbest100.gz"
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        lines = [" ".join(line.split()) for line in stream]
    Pool.read(path).write(tmp_path / "x", "moses")
    assert (tmp_path / "x").read_text(encoding="utf-8").splitlines() == lines


@pytest.mark.parametrize("format_name", ["moses", "cdec"])
@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a ||| b", "a &#124;&#124;&#124; b"),
        ("||||", "&#124;&#124;&#124;&#124;"),
        ("a || b |", "a || b |"),
        ("x|||y||||z", "x&#124;&#124;&#124;y&#124;&#124;&#124;&#124;z"),
    ],
)
def test_bars_are_escaped_and_not_unescaped(
    tmp_path: Path, format_name: str, text: str, escaped: str
) -> None:
    written(dense(["f"], texts=[text]), tmp_path, format_name)
    assert Pool.read(tmp_path / "x", format=format_name).texts == [escaped]


@pytest.mark.parametrize("format_name", ["moses", "cdec"])
@pytest.mark.parametrize("name", ["", "a b", "a|||b", "a\tb", "a\nb"])
def test_names_that_the_format_cannot_hold_are_refused(tmp_path: Path, format_name: str, name: str) -> None:
    with pytest.raises(
        InputError, match=r"the feature name .* is empty or contains a blank or .*; write jsonl or parquet"
    ):
        written(dense([name]), tmp_path, format_name)
    assert list(tmp_path.iterdir()) == []


def test_texts_that_the_format_cannot_hold_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"the text 'a\\x0ab' holds a line end"):
        written(dense(["f"], texts=["a\nb"]), tmp_path)
    with pytest.raises(InputError, match="the pool has no texts"):
        written(dense(["f"], texts=None), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_ids_that_are_numbers_are_kept_and_others_numbered(tmp_path: Path) -> None:
    two = np.ones((2, 1, 1))
    assert written(Pool.from_arrays(two, texts=["a", "b"], ids=[3, 8]), tmp_path).startswith("3 ||| a")
    assert "\n1 ||| b" in written(Pool.from_arrays(two, texts=["a", "b"], ids=["x", "8"]), tmp_path)


def test_the_format_is_told_by_the_name_or_by_the_caller(tmp_path: Path) -> None:
    pool = dense(["f"])
    with pytest.raises(
        OptionError,
        match=r"cannot detect the format from the name .*; set format to one of cdec, csv, jsonl, moses",
    ):
        pool.write(tmp_path / "x.nbest.gz")
    with pytest.raises(OptionError, match="unknown candidate format 'jsonll'; did you mean 'jsonl'"):
        pool.write(tmp_path / "x", "jsonll")
    with pytest.raises(InputError, match="two lists of the pool have the same id"):
        Pool.from_arrays(np.ones((2, 1, 1)), ids=["a", "a"]).write(tmp_path / "x.jsonl")
