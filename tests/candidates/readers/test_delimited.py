"""CSV and TSV: one row per candidate, columns as in Parquet."""

from __future__ import annotations

import csv
import io

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.candidates.compare import candidates
from tests.candidates.readers.conftest import Make

from tunesmith.candidates import Pool
from tunesmith.candidates.readers.base import Source
from tunesmith.candidates.readers.delimited import Csv, Tsv
from tunesmith.errors import InputError, TunesmithWarning

PLAIN = "id,text,lm,sparse:tm,score:comet,references,source,total\n"
ROWS = (
    '4,"the house, small",-1.5,,0.5,the house,das haus,-2\n'
    '4,"a ""house""",2,0.25,0.75,the house,das haus,-3\n'
)


def test_columns_have_the_roles_of_parquet(make: Make) -> None:
    pool = Pool.read(make(PLAIN + ROWS + "7,yes,0,1,0.25,yes,ja,0\n", "x.csv"))
    assert pool.ids == ("4", "7")
    assert candidates(pool) == [
        [("the house, small", {"lm": -1.5}), ('a "house"', {"lm": 2.0, "tm": 0.25})],
        [("yes", {"lm": 0.0, "tm": 1.0})],
    ]
    assert pool.scores["comet"].tolist() == [0.5, 0.75, 0.25]
    assert [list(texts) for texts in pool.references] == [["the house", "yes"]]
    assert (pool.sources, pool.totals.tolist()) == (["das haus", "ja"], [-2.0, -3.0, 0.0])


def test_tabs_separate_without_quotes(make: Make) -> None:
    pool = Pool.read(make('id\ttext\tlm\r\na\tsaid "yes", twice\t1\r\na\t"\t2\r\n', "x.tsv"))
    assert candidates(pool) == [[('said "yes", twice', {"lm": 1.0}), ('"', {"lm": 2.0})]]


def test_quoted_cells_between_tabs_are_warned_of_or_read(make: Make) -> None:
    path = make('id\ttext\tlm\na\t"said ""yes"""\t1\n', "x.tsv")
    with pytest.warns(TunesmithWarning, match="1 rows have a cell between quotation marks"):
        assert Pool.read(path).texts == ['"said ""yes"""']
    assert Pool.read(path, quotes=True).texts == ['said "yes"']


def test_scores_may_be_named_and_a_file_compressed(make: Make, tmp_path) -> None:
    frame = pd.DataFrame({"id": [0, 0], "text": ["ü", ""], "lm": [1.5, 2.5], "comet": [0.1, 0.2]})
    frame.to_csv(tmp_path / "x.csv.gz", index=False)
    pool = Pool.read(tmp_path / "x.csv.gz", scores=["comet"], references=[make("ü\n", "ref")])
    assert pool.feature_names == ("lm",)
    assert pool.scores["comet"].tolist() == [0.1, 0.2]
    assert pool.texts == ["ü", ""]


@pytest.mark.parametrize("cell", ['["a b", "c"]', "['a b', 'c']"])
def test_several_references_are_a_list_or_several_columns(make: Make, cell: str) -> None:
    row = io.StringIO()
    csv.writer(row).writerow(["0", "x", cell, "d"])
    pool = Pool.read(make(f"id,text,references,references:2\n{row.getvalue()}", "x.csv"))
    assert [list(texts) for texts in pool.references] == [["a b"], ["c"], ["d"]]
    assert Pool.read(make("id,references\n0,[applause]\n", "y.csv")).references == (["[applause]"],)


cells = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@given(st.lists(st.tuples(cells, st.floats(allow_nan=False, allow_infinity=False)), min_size=1))
def test_what_pythons_csv_writes_is_read_back(rows: list[tuple[str, float]]) -> None:
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(["id", "text", "lm"])
    writer.writerows([0, text, repr(value)] for text, value in rows)
    pool = Csv().parse(Source("x.csv", stream.getvalue().encode(), iter(())))
    assert list(pool.texts or ()) == [text for text, _ in rows]
    assert pool.features.values.tolist() == [value for _, value in rows]


def test_cells_may_be_long(make: Make) -> None:
    text = "x" * 200_000
    assert Pool.read(make(f"id,text,lm\n0,{text},1\n", "x.csv")).texts == [text]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("text,lm\na,1\n", "no column 'id' in the header"),
        ("id,lm\n", "x.csv: no candidates in this file"),
        ("id,lm,lm\n0,1,2\n", "x.csv:1: two columns are named 'lm'"),
        ("id,a,b,a,b\n0,1,2,3,4\n", "two columns are named 'a' \\(others that are repeated: 'b'\\)"),
        ("id,lm\n0,1\n0,1,2\n", "x.csv:3: a row of 3 cells; expected 2"),
        ("id,lm\n0,1\n0,abc\n", "x.csv:3: column 'lm' has 'abc'; expected a finite number"),
        ("id,lm\n0,1_000\n", "x.csv:2: column 'lm' has '1_000'"),
        ("id,lm\n0,nan\n", "x.csv:2: feature 'lm' has no value in 1 of 1"),
        ("id,lm,score:c\n0,1,\n", "column 'score:c' has no value in row 0"),
        ("id,sparse_features\n0,{}\n", "x.csv:1: column 'sparse_features' cannot be read"),
        ('id,text\n0,"abc\n', "x.csv:2: not a row of cells"),
        ("id,lm\n0,1\n1,1\n0,1\n", "group '0' occurs again at row 2"),
        (b"id,text\n0,\xff\n", "x.csv:2: bytes that are not UTF-8"),
    ],
)
def test_what_is_not_right_is_an_error_in_delimited_files(
    make: Make, content: str | bytes, complaint: str
) -> None:
    with pytest.raises(InputError, match=complaint):
        Pool.read(make(content, "x.csv"))


def test_blank_lines_and_a_byte_order_mark_are_legal_in_delimited_files(make: Make) -> None:
    for name in ("x.csv", "x.tsv"):
        gap = "," if name == "x.csv" else "\t"
        pool = Pool.read(make(f"\ufeffid{gap}lm\r\n\r\n0{gap}1\r\n\r\n", name))
        assert (pool.ids, pool.feature_names) == (("0",), ("lm",))


def test_formats_can_be_named(make: Make) -> None:
    path = make("id\tlm\n0\t1\n", "lists.txt")
    assert Pool.read(path, format="tsv").features.values.tolist() == [1.0]
    assert Tsv.suffixes == (".tsv",)
