"""Missing values of features: refused by default, filled by a rule that is asked for, and said."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from tests.commands import run

from tunesmith.candidates import Pool
from tunesmith.errors import IgnoredInputWarning, InputError, OptionError, TunesmithWarning
from tunesmith.tuning.standardize import dense_deviations

IDS = ["a", "a", "a", "b", "b"]
LM = [-1.0, None, -4.0, -6.0, -2.0]
"""Candidate 1, of sentence a, has none."""
FILLED = {"worst": -4.0, "mean": -2.5, "-7.5": -7.5, 0: 0.0}


def csv(folder: Path) -> Any:
    rows = [
        f"{name},t{row},{'' if value is None else value}"
        for row, (name, value) in enumerate(zip(IDS, LM, strict=True))
    ]
    (folder / "x.csv").write_text("\n".join(["id,text,lm", *rows]))
    return lambda **more: Pool.read(folder / "x.csv", **more)


def parquet(folder: Path) -> Any:
    arrow = pytest.importorskip("pyarrow")
    from pyarrow.parquet import write_table

    write_table(arrow.table({"id": IDS, "lm": LM}), folder / "x.parquet")
    return lambda **more: Pool.read(folder / "x.parquet", **more)


def jsonl(folder: Path) -> Any:
    lists: dict[str, list[Any]] = {}
    for name, value in zip(IDS, LM, strict=True):
        lists.setdefault(name, []).append({"features": {"lm": value}})
    lines = [json.dumps({"id": name, "hypotheses": hypotheses}) for name, hypotheses in lists.items()]
    (folder / "x.jsonl").write_text("\n".join(lines))
    return lambda **more: Pool.read(folder / "x.jsonl", **more)


def records(_: Path) -> Any:
    rows = [{"id": name, "lm": value} for name, value in zip(IDS, LM, strict=True)]
    return lambda **more: Pool.from_records(rows, **more)


def frame(_: Path) -> Any:
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"id": IDS, "lm": LM})
    return lambda **more: Pool.from_pandas(table, text=None, **more)


def dataset(_: Path) -> Any:
    class Columns(dict[str, Any]):
        column_names = ("id", "lm")

    return lambda **more: Pool.from_dataset(Columns(id=IDS, lm=LM), text=None, **more)


def arrays(_: Path) -> Any:
    matrix = np.array([[np.nan if value is None else value] for value in LM])
    return lambda **more: Pool.from_arrays(matrix, groups=IDS, names=["lm"], **more)


def sparse(_: Path) -> Any:
    matrix = scipy.sparse.csr_array(np.array([[np.nan if value is None else value] for value in LM]))
    return lambda **more: Pool.from_arrays(matrix, groups=IDS, names=["lm"], **more)


SCORED = [csv, parquet, records, frame, dataset]
SOURCES = [csv, parquet, jsonl, records, frame, dataset, arrays, sparse]


@pytest.mark.parametrize("source", SOURCES)
def test_a_missing_value_is_an_error_that_names_feature_and_place(source: Any, tmp_path: Path) -> None:
    read = source(tmp_path)
    for options in ({}, {"missing": "error"}):
        with pytest.raises(InputError, match="feature 'lm' has no value") as caught:
            read(**options)
        if source is csv:
            assert str(caught.value).startswith(f"{tmp_path}/x.csv:3: ")
        elif source is jsonl:
            assert str(caught.value).startswith(f"{tmp_path}/x.jsonl:1: ")
        else:
            assert "in 1 of 5 candidates, the first in row 1 (sentence 'a')" in str(caught.value)


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("rule", FILLED)
def test_a_missing_value_counts_as_asked_and_the_feature_stays_dense(
    source: Any, rule: Any, tmp_path: Path
) -> None:
    with pytest.warns(IgnoredInputWarning, match=r"missing values of 'lm' \(1\), the first in row 1 "):
        pool = source(tmp_path)(missing=rule)
    expected = [FILLED[rule] if value is None else value for value in LM]
    assert pool.features.to_dense().reshape(-1).tolist() == expected
    assert pool.features.dense.all()
    assert dense_deviations(pool)[0] > 0


@pytest.mark.parametrize("source", SOURCES)
def test_a_missing_value_may_count_as_an_absent_feature(source: Any, tmp_path: Path) -> None:
    with pytest.warns(IgnoredInputWarning, match="are 0 \\(missing: absent\\)"):
        pool = source(tmp_path)(missing="absent")
    assert np.diff(pool.features.offsets).tolist() == [1, 0, 1, 1, 1]


def test_a_list_without_any_value_takes_that_of_all_lists() -> None:
    matrix = [[1.0], [3.0], [np.nan], [np.nan]]
    for rule, value in (("worst", 1.0), ("mean", 2.0)):
        with pytest.warns(IgnoredInputWarning):
            pool = Pool.from_arrays(matrix, groups=[0, 0, 1, 1], missing=rule)
        assert pool.features.to_dense().reshape(-1).tolist() == [1.0, 3.0, value, value]


def test_a_feature_without_any_value_has_no_worst() -> None:
    with pytest.raises(InputError, match="'f0' has no value in any candidate: there is no worst of it"):
        Pool.from_arrays([[[np.nan], [np.nan]]], missing="worst")


def test_infinite_values_are_never_filled() -> None:
    with pytest.raises(InputError, match="inf; expected a finite number"):
        Pool.from_arrays([[[np.inf], [np.nan]]], missing=0)


@pytest.mark.parametrize("rule", ["best", "nan", float("inf"), True, [1]])
def test_an_unknown_rule_is_refused(rule: Any) -> None:
    with pytest.raises(
        OptionError, match=r"missing cannot be .*expected error, absent, worst, mean or a number"
    ):
        Pool.from_arrays([[[1.0]]], missing=rule)


def moses(folder: Path, lacking: int, count: int = 200) -> Path:
    rows = [
        f"{row // 10} ||| t{row} ||| {'' if row < lacking else f'lm= {-1 - row % 10} '}d= 1 ||| 0\n"
        for row in range(count)
    ]
    path = folder / "x.nbest"
    path.write_text("".join(rows))
    return path


def test_a_feature_that_only_a_few_candidates_lack_is_reported(tmp_path: Path) -> None:
    path = moses(tmp_path, lacking=2)
    said = r"absent in a few of 200, .*: 'lm' \(2\), the first in row 0 \(sentence '0'\)"
    with pytest.warns(TunesmithWarning, match=said):
        pool = Pool.read(path)
    assert pool.feature_names == ("d", "lm") and pool.features.dense.tolist() == [True, False]
    with pytest.raises(InputError, match="feature 'lm' is absent in 2 of 200 candidates, the first in row 0"):
        Pool.read(path, missing="error")
    with pytest.warns(IgnoredInputWarning, match=r"missing values of 'lm' \(2\), .*missing: worst"):
        pool = Pool.read(path, missing="worst")
    assert pool.features.dense.all()
    assert pool.features.to_dense()[:3, 1].tolist() == [-10.0, -10.0, -3.0]


@pytest.mark.parametrize("lacking", [0, 3, 100])
def test_a_sparse_feature_is_zero_where_it_is_absent_without_a_word(tmp_path: Path, lacking: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Pool.read(moses(tmp_path, lacking)).n_candidates == 200
        assert Pool.read(moses(tmp_path, 2), missing="absent").n_candidates == 200


def test_records_that_lack_a_key_lack_the_feature() -> None:
    rows = [{"id": 0, "lm": 1.0, "rare": 2.0}, {"id": 0, "lm": 2.0}]
    assert Pool.from_records(rows).features.dense.tolist() == [True, False]
    rows = [{"id": row // 10, "lm": 1.0, "tm": row} for row in range(100)]
    del rows[5]["lm"]
    with pytest.warns(TunesmithWarning, match=r"'lm' \(1\), the first in row 5"):
        Pool.from_records(rows)


@pytest.mark.parametrize("name", ["x.csv", "x.tsv"])
def test_tables_tell_sparse_features_by_the_names_of_their_columns(tmp_path: Path, name: str) -> None:
    pool = Pool.from_records([{"id": 0, "lm": 1.0, "rare": 2.0}, {"id": 0, "lm": 2.0}])
    pool.write(tmp_path / name)
    assert "sparse:rare" in (tmp_path / name).read_text().splitlines()[0]
    again = Pool.read(tmp_path / name)
    assert again.feature_names == pool.feature_names
    assert again.features.dense.tolist() == [True, False]
    (tmp_path / "twice.csv").write_text("id,f,sparse:f\n0,1,2\n")
    with pytest.raises(InputError, match="columns 'f' and 'sparse:f' are the same feature"):
        Pool.read(tmp_path / "twice.csv")


@pytest.mark.parametrize("word", ["", " ", "NaN", "null", "None", "NA"])
def test_words_for_no_value_are_missing_values(tmp_path: Path, word: str) -> None:
    (tmp_path / "x.csv").write_text(f"id,f\n0,1\n0,{word}\n")
    with pytest.raises(InputError, match=r"x.csv:3: feature 'f' has no value in 1 of 2"):
        Pool.read(tmp_path / "x.csv")


@pytest.mark.parametrize("command", ["rerank", "mbr", "convert", "tune nbest"])
def test_commands_that_read_lists_take_the_rule(tmp_path: Path, command: str) -> None:
    csv(tmp_path)
    more = {"rerank": ["--weight", "lm=1"], "mbr": [], "convert": ["-o", "y.jsonl"]}.get(command)
    if more is None:
        (tmp_path / "ref").write_text("t0\nt3\n")
        more = ["--references", "ref", "-o", "w.json", "--metric", "chrf"]
    words = (*command.split(), "--candidates", "x.csv", *more)
    done = run(*words, folder=tmp_path)
    assert done.returncode == 1
    said = (
        "x.csv:3: feature 'lm' has no value in 1 of 5 candidates, the first in row 1 (sentence 'a'); say by"
    )
    assert f"{said} --missing what it counts as" in done.stderr
    assert "or a number; if it is a score, name it by --score-column" in done.stderr
    done = run(*words, "--missing", "worst", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "'lm' (1), the first in row 1 (sentence 'a') of line 3, count as the least value of" in done.stderr
    assert "(--missing: worst)" in done.stderr
    assert run(*words, "--missing", "best", folder=tmp_path).returncode == 2


def two_files(folder: Path, second: str) -> list[str]:
    (folder / "one.csv").write_text("id,text,am,lm\n0,a,-1,-5\n0,b,-2,-6\n1,c,-3,-7\n")
    (folder / "two.csv").write_text(second)
    return [str(folder / "one.csv"), str(folder / "two.csv")]


@pytest.mark.parametrize("header", ["am", "am,x"])
def test_a_column_that_another_file_lacks_is_an_error_that_names_both(header: str, tmp_path: Path) -> None:
    more = ",1" if "x" in header else ""
    paths = two_files(tmp_path, f"id,text,{header}\n0,d,-4{more}\n1,e,-5{more}\n")
    for rule in (None, "error"):
        with pytest.raises(InputError, match=r"feature '(lm|x)', a column of .*has no value in any of the"):
            Pool.read(paths, missing=rule)
    with pytest.raises(InputError, match=r"two\.csv: feature 'lm', a column of .*one\.csv"):
        Pool.read(two_files(tmp_path, "id,text,am\n0,d,-4\n1,e,-5\n"))
    with pytest.raises(InputError, match=r"two\.csv: feature 'lm'"):
        Pool.read([paths[0], *two_files(tmp_path, "id,text,am\n0,d,-4\n")[1:]])


@pytest.mark.parametrize(("rule", "expected"), [("worst", -6.0), ("mean", -5.5), (-9, -9.0), ("absent", 0.0)])
def test_a_column_that_another_file_lacks_is_filled_over_the_joined_lists(
    rule: Any, expected: float, tmp_path: Path
) -> None:
    paths = two_files(tmp_path, "id,text,am\n0,d,-4\n1,e,-5\n")
    with pytest.warns(IgnoredInputWarning, match=r"missing values of 'lm' \(2\), the first in row 2 "):
        pool = Pool.read(paths, missing=rule)
    values = dict(zip(pool.texts or (), pool.features.to_dense()[:, 1].tolist(), strict=True))
    assert values["d"] == expected and values["a"] == -5


def test_a_column_is_missing_in_files_of_other_formats_too(tmp_path: Path) -> None:
    csv_file = two_files(tmp_path, "")[0]
    (tmp_path / "x.jsonl").write_text('{"id": "0", "hypotheses": [{"text": "d", "features": {"am": -4}}]}\n')
    with pytest.raises(InputError, match=r"x\.jsonl: feature 'lm'"):
        Pool.read([csv_file, tmp_path / "x.jsonl"])


def test_a_sparse_column_of_one_file_may_be_absent_in_another(tmp_path: Path) -> None:
    paths = two_files(tmp_path, "id,text,am,lm,sparse:x\n0,d,-4,-1,3\n1,e,-5,-2,\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Pool.read(paths).feature_names == ("am", "lm", "x")


def test_pools_are_merged_with_features_of_some_only() -> None:
    first = Pool.from_arrays(np.ones((1, 2, 2)), names=["am", "lm"], texts=["a", "b"])
    second = Pool.from_arrays(np.ones((1, 2, 1)), names=["am"], texts=["c", "d"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Pool.merge([first, second]).n_candidates == 4


def lacking_some(values: list[float], lacking: int) -> Any:
    rows = [{"id": str(row // 10), "am": -0.5 - row, "lm": value} for row, value in enumerate(values)]
    for row in rows[:lacking]:
        del row["lm"]
    return rows


def test_a_feature_far_from_zero_that_some_candidates_lack_is_warned_of_and_filled() -> None:
    rows = lacking_some([-3000.5 - row for row in range(480)], 12)
    with pytest.warns(TunesmithWarning, match=r"most candidates have are absent in some of 480.*'lm' \(12\)"):
        Pool.from_records(rows)
    with pytest.warns(IgnoredInputWarning, match=r"'lm' \(12\)"):
        assert Pool.from_records(rows, missing=-4000).features.dense.all()
    with pytest.raises(InputError, match="'lm' is absent in 12 of 480"):
        Pool.from_records(rows, missing="error")


@pytest.mark.parametrize(
    "values",
    [
        [float(1 + row % 9) for row in range(480)],  # a count
        [0.5 if row % 2 else -0.5 for row in range(480)],  # of both signs
        [0.001 + 0.37 * row for row in range(480)],  # from zero on
    ],
)
def test_a_feature_like_those_of_decoders_may_be_absent_without_a_word(values: list[float]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Pool.from_records(lacking_some(values[::-1], 12))


@pytest.mark.parametrize("source", SOURCES)
def test_the_error_names_the_option_of_scores_where_there_is_one(source: Any, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        source(tmp_path)()
    assert ("; if it is a score, name it by scores" in str(caught.value)) == (source in SCORED)


def test_missing_and_absent_values_are_said_together() -> None:
    rows: list[dict[str, Any]] = [{"id": row // 10, "lm": -1.0 - row, "am": -1.0} for row in range(480)]
    rows[3]["lm"] = None
    del rows[25]["lm"]
    sentences = [
        {
            "id": str(g),
            "hypotheses": [{"features": {k: v for k, v in row.items() if k != "id"}} for row in own],
        }
        for g, own in enumerate(rows[start : start + 10] for start in range(0, 480, 10))
    ]
    for given in (rows, sentences):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            pool = Pool.from_records(given, missing="worst")
        assert [str(each.message) for each in said] == [
            "missing values of 'lm' (2), the first in row 3 (sentence '0'), count as the least value of their"
            " list (missing: worst)"
        ]
        assert pool.features.dense.all()
        assert pool.features.to_dense()[[3, 25], pool.feature_names.index("lm")].tolist() == [-10.0, -30.0]


def test_a_warning_shows_the_line_of_the_user(tmp_path: Path) -> None:
    for source in (csv, records, arrays):
        with pytest.warns(IgnoredInputWarning, match="least value of their list") as said:
            source(tmp_path)(missing="worst")
        assert said[0].filename == __file__


@pytest.mark.parametrize("rule", [None, "worst"])
@pytest.mark.parametrize(
    ("name", "line"),
    [("moses", "0 ||| b ||| LM= nan ||| 0"), ("cdec", "0 ||| b ||| LM=nan ||| 0"), ("flat", "nan")],
)
def test_formats_of_numbers_only_say_how_to_write_a_missing_value(
    tmp_path: Path, name: str, line: str, rule: Any
) -> None:
    good = line.replace("nan", "-1")
    (tmp_path / "x").write_text(f"{good}\n{line}\n")
    options: dict[str, Any] = {"size": 2, "features": {"LM": tmp_path / "x"}} if name == "flat" else {}
    said = r"x:2: (feature 'LM' is|found 'nan').*missing cannot fill it: .* jsonl with null"
    with pytest.raises(InputError, match=said):
        Pool.read(tmp_path / "x", format=name, missing=rule, **options)


def test_a_null_without_a_rule_names_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"x.jsonl:1: feature 'lm' has no value .*say by missing what"):
        jsonl(tmp_path)()
