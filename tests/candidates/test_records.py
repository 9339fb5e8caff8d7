"""Pools from dictionaries, data sets and data frames, and back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from tests.candidates.compare import candidates
from tests.strategies import pools

from tunesmith.candidates import Pool
from tunesmith.errors import IgnoredInputWarning, InputError

RECORDS: list[dict[str, Any]] = [
    {"id": 3, "text": "a b", "lm": -1.5, "rare": 1, "comet": 0.5, "references": ["r", "q"], "source": "s"},
    {"id": 3, "text": "", "lm": 2, "comet": 0.25, "references": ["r", "q"], "source": "s"},
    {"id": 5, "text": "ü", "lm": 0.0, "rare": None, "comet": 0.75, "references": ["t", "u"], "source": "v"},
]


ABSENT = [{key: value for key, value in record.items() if value is not None} for record in RECORDS]


def test_records_are_candidates_with_the_keys_of_parquet() -> None:
    pool = Pool.from_records(iter(ABSENT), scores=["comet"])
    assert pool.ids == ("3", "5")
    assert candidates(pool) == [
        [("a b", {"lm": -1.5, "rare": 1.0}), ("", {"lm": 2.0})],
        [("ü", {"lm": 0.0})],
    ]
    assert pool.scores["comet"].tolist() == [0.5, 0.25, 0.75]
    assert [list(texts) for texts in pool.references] == [["r", "t"], ["q", "u"]]
    assert pool.sources == ["s", "v"]


def test_features_and_scores_may_be_inner_dictionaries() -> None:
    rows = [{"id": 0, "text": "x", "features": {"lm": 1, "tm": 2.5}, "scores": {"comet": 0.5}, "total": -1}]
    pool = Pool.from_records(rows)
    assert candidates(pool) == [[("x", {"lm": 1.0, "tm": 2.5})]]
    assert (pool.scores["comet"].tolist(), pool.totals.tolist()) == ([0.5], [-1.0])


def test_records_with_hypotheses_are_sentences_as_in_json_lines() -> None:
    sentences = [{"id": "a", "references": ["r"], "hypotheses": [{"text": "x", "features": {"lm": 0.1}}]}]
    pool = Pool.from_records(sentences)
    assert (pool.ids, candidates(pool)) == (("a",), [[("x", {"lm": 0.1})]])
    with pytest.raises(InputError, match=r"record 1: .*no 'id'"):
        Pool.from_records([*sentences, {"hypotheses": [{"text": "x"}]}])


@pytest.mark.parametrize(
    ("records", "complaint"),
    [
        ([], "no records"),
        (["abc"], "record 0 is a str; expected a dictionary"),
        ([{"text": "a"}], "no column 'id' in the records"),
        ([{"id": None, "f": 1}], "column 'id' has no value in row 0"),
        ([{"id": 0, "f": "high"}], "column 'f' has a value of type str in row 0; expected numbers"),
        ([{"id": 0, "text": 7}], "column 'text' has a value of type int in row 0; expected a text"),
        ([{"id": 0, "references": 7}], "column 'references' has a value of type int in row 0"),
        ([{"id": 0, "score:c": 1}, {"id": 0}], "column 'score:c' has no value in row 1"),
        ([{"id": 0, "f": 1, "features": {"f": 2}}], "record 0 has 'f' twice"),
        ([{"id": 0, "sparse_features": [1]}], "column 'sparse_features' has a value of type list"),
        ([{"id": 0, "f": float("nan")}], "feature 'f' has no value in 1 of 1 candidates, the first in row 0"),
        ([{"id": 0, "f": 1}, {"id": 1, "f": 1}, {"id": 0, "f": 1}], "group '0' occurs again"),
    ],
)
def test_bad_records_are_refused(records: list[Any], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        Pool.from_records(records)


class Columns:
    """What a data set of Hugging Face offers."""

    def __init__(self, columns: dict[str, Any]) -> None:
        self.columns = columns
        self.column_names = list(columns)

    def __getitem__(self, name: str) -> Any:
        return self.columns[name]


COLUMNS = {name: [record.get(name) for record in RECORDS] for name in RECORDS[0]}


@pytest.mark.parametrize(
    "dataset",
    [Columns(COLUMNS), Columns(COLUMNS | {"comet": np.array(COLUMNS["comet"])}), pa.table(COLUMNS)],
    ids=["lists", "arrays", "arrow"],
)
def test_data_sets_give_their_columns_by_name(dataset: Any) -> None:
    with pytest.warns(IgnoredInputWarning, match=r"missing values of 'rare' \(2\), .*missing: absent"):
        pool = Pool.from_dataset(dataset, scores=["comet"], missing="absent")
    expected = Pool.from_records(ABSENT, scores=["comet"])
    assert candidates(pool) == candidates(expected)
    assert pool.references == expected.references
    assert pool.scores["comet"].tolist() == expected.scores["comet"].tolist()


def test_missing_numbers_of_a_data_set_in_the_format_of_arrays_are_found() -> None:
    class Formatted(Columns):
        """In the format `numpy`, data sets of Hugging Face have NaN where a number is missing."""

        def __getitem__(self, name: str) -> Any:
            column = self.columns[name]
            return np.array([np.nan if cell is None else cell for cell in column], dtype=np.float64)

        def with_format(self, name: str | None) -> Columns:
            assert name is None
            return Columns(self.columns)

    columns = {"id": [0, 0], "text": ["a", "b"], "lm": [1.0, None], "tm": [2.0, 3.0]}
    with pytest.raises(
        InputError, match="feature 'lm' has no value in 1 of 2 candidates, the first in row 1"
    ):
        Pool.from_dataset(Formatted(columns))
    with pytest.warns(IgnoredInputWarning):
        pool = Pool.from_dataset(Formatted(columns), missing=-9)
    assert candidates(pool) == [[("a", {"lm": 1.0, "tm": 2.0}), ("b", {"lm": -9.0, "tm": 3.0})]]


def test_a_data_set_may_become_a_data_frame() -> None:
    pandas = pytest.importorskip("pandas")

    class Frame:
        def to_pandas(self) -> Any:
            return pandas.DataFrame({"id": [0, 0], "text": ["a", "b"], "lm": [1.0, 2.0]})

    assert Pool.from_dataset(Frame()).feature_names == ("lm",)


def test_what_is_no_data_set_is_refused() -> None:
    splits = Columns({})
    splits.column_names = {"train": ["id"], "test": ["id"]}  # type: ignore[assignment]
    with pytest.raises(InputError, match="has the splits train, test; give one of them"):
        Pool.from_dataset(splits)
    with pytest.raises(InputError, match="found list; expected a data set"):
        Pool.from_dataset([])


@given(pools(extras=True, totals=True))
def test_a_data_frame_keeps_everything(pool: Pool) -> None:
    frame = pool.to_pandas()
    assert len(frame) == pool.n_candidates
    if pool.features.width == 0 or len(set(pool.ids)) != len(pool):
        return
    again = Pool.from_pandas(frame, text=None if pool.texts is None else "text")
    assert again.ids == pool.ids
    assert candidates(again) == candidates(pool)
    assert [list(texts) for texts in again.references] == [list(texts) for texts in pool.references]
    assert again.sources == pool.sources
    assert {name: column.tolist() for name, column in again.scores.items()} == {
        name: column.tolist() for name, column in pool.scores.items()
    }
    np.testing.assert_array_equal(again.totals, pool.totals)


def test_one_reference_is_a_text_and_sparse_features_are_maps() -> None:
    pool = Pool.from_records(
        [
            {"id": 0, "lm": 1, "references": "r", "text": "x"},
            {"id": 0, "references": "r", "rare": 2, "lm": 3, "text": "y"},
        ]
    )
    frame = pool.to_pandas()
    assert frame["references"].tolist() == ["r", "r"]
    assert frame["lm"].tolist() == [1.0, 3.0]
    assert frame["sparse_features"].tolist() == [{}, {"rare": 2.0}]
