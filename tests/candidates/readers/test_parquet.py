from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.candidates.compare import candidates

from tunesmith.candidates import Pool
from tunesmith.errors import InputError, OptionError


def write(folder: Path, **columns: Any) -> Path:
    pq.write_table(pa.table(columns), folder / "x.parquet")
    return folder / "x.parquet"


def test_a_foreign_file_needs_an_id_and_numbers(tmp_path: Path) -> None:
    columns = {"id": [4, 4, 7], "text": ["a", "b", "c"], "lm": [1, 2, 3], "sparse:tm": [0.5, None, 1.5]}
    pool = Pool.read(write(tmp_path, **columns))
    assert pool.ids == ("4", "7")
    assert candidates(pool) == [
        [("a", {"lm": 1, "tm": 0.5}), ("b", {"lm": 2})],
        [("c", {"lm": 3, "tm": 1.5})],
    ]


def test_columns_may_be_named_scores(tmp_path: Path) -> None:
    pool = Pool.read(write(tmp_path, id=["x", "x"], lm=[1.0, 2.0], comet=[0.5, 0.25]), scores=["comet"])
    assert pool.feature_names == ("lm",)
    assert pool.scores["comet"].tolist() == [0.5, 0.25]


def test_a_file_that_pandas_wrote_is_read(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"id": ["a", "b"], "text": ["x", "ü"], "f": [1.5, 2.5]})
    frame.to_parquet(tmp_path / "p.parquet", index=False)
    assert candidates(Pool.read(tmp_path / "p.parquet")) == [[("x", {"f": 1.5})], [("ü", {"f": 2.5})]]


@pytest.mark.parametrize(
    "kind",
    [
        pa.string(),
        pa.large_string(),
        pa.dictionary(pa.int32(), pa.string()),
        pa.list_(pa.string()),
        pa.large_list(pa.large_string()),
        pa.list_(pa.string(), 1),
    ],
    ids=str,
)
def test_references_are_texts_or_lists_of_texts(tmp_path: Path, kind: Any) -> None:
    plain = pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_dictionary(kind)
    texts = ["one house", "one house", "yes"]
    column = pa.array(texts if plain else [[text] for text in texts], kind)
    pool = Pool.read(write(tmp_path, id=[1, 1, 2], references=column, lm=[1.0, 2.0, 3.0]))
    assert [list(reference) for reference in pool.references] == [["one house", "yes"]]


@pytest.mark.parametrize(
    ("references", "complaint"),
    [
        (pa.array([7, 7]), "column 'references' has type int64; expected texts or lists of texts"),
        (pa.array([[7], [7]]), "column 'references' has type list<.*int64>; expected texts or lists"),
        (pa.array([["a", None], ["a", None]]), "'references' has a list with an entry of type NoneType"),
        (pa.array([["a"], None]), "column 'references' has no value in row 1"),
        (pa.array(["a", None]), "column 'references' has a null"),
        (pa.array([["a", "b"], ["a", "c"]]), "'references' has different lists of texts for sentence '1'"),
        (pa.array(["a", "b"]), "column 'references' has two texts for sentence '1'"),
    ],
)
def test_other_references_are_refused_by_column_and_type(
    tmp_path: Path, references: Any, complaint: str
) -> None:
    with pytest.raises(InputError, match=complaint):
        Pool.read(write(tmp_path, id=[1, 1], references=references, lm=[1.0, 2.0]))


@pytest.mark.parametrize(
    ("columns", "complaint"),
    [
        ({"f": [1.0]}, "no column 'id'"),
        ({"id": [None, 1], "f": [1.0, 2.0]}, "column 'id' has a null"),
        ({"id": [1, 2, 1], "f": [1.0, 2.0, 3.0]}, "group '1' occurs again at row 2"),
        ({"id": [1], "f": ["x"]}, "column 'f' has type string; expected numbers"),
        ({"id": [1], "f": [float("nan")]}, "feature 'f' has no value in 1 of 1 candidates"),
        ({"id": [1], "text": [None], "f": [1.0]}, "column 'text' has a null"),
        ({"id": [1], "text": [[1]], "f": [1.0]}, r"column 'text' has type list<.*>; expected texts"),
        ({"id": [1, 1], "source": ["a", "b"]}, "column 'source' has two texts for sentence '1'"),
        (
            {"id": [1, 2], "references": [["a"], ["b", "c"]]},
            "must have the same number of texts in every row",
        ),
        (
            {"id": [1], "sparse_features": [3.0]},
            "column 'sparse_features' has type double or nulls; expected maps",
        ),
        ({"id": pa.array([], pa.int64())}, "no candidates in this file"),
    ],
)
def test_what_is_not_right_is_an_error(tmp_path: Path, columns: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InputError, match=f"x.parquet: .*{complaint}"):
        Pool.read(write(tmp_path, **columns))


def test_a_feature_in_a_column_and_in_a_map_is_repeated(tmp_path: Path) -> None:
    maps = pa.array([[("f", 1.0)]], pa.map_(pa.string(), pa.float64()))
    with pytest.raises(InputError, match="a feature is repeated in one candidate"):
        Pool.read(write(tmp_path, id=[1], f=[1.0], sparse_features=maps))


def test_damaged_files_are_errors(tmp_path: Path) -> None:
    path = write(tmp_path, id=[1], f=[1.0])
    data = path.read_bytes()
    for damaged in (data[:-5], data[:30], b"PAR1", data[: len(data) // 2] + data[len(data) // 2 + 9 :]):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match="not a readable Parquet file"):
            Pool.read(path)


def test_text_that_is_not_utf8_is_an_error(tmp_path: Path) -> None:
    texts = pa.Array.from_buffers(
        pa.string(), 1, [None, pa.array([0, 1], pa.int32()).buffers()[1], pa.py_buffer(b"\xff")]
    )
    with pytest.raises(InputError, match=r"(?i)UTF-?8"):
        Pool.read(write(tmp_path, id=[1], text=texts, f=[1.0]))


def test_without_pyarrow_the_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path, id=[1], f=[1.0])
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(OptionError, match=r"pip install 'tunesmith\[parquet\]'"):
        Pool.read(path)
    with pytest.raises(OptionError, match=r"pip install 'tunesmith\[parquet\]'"):
        Pool.from_arrays([[[1.0]]]).write(tmp_path / "y.parquet")
    assert not (tmp_path / "y.parquet").exists()
