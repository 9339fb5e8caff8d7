from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.candidates.compare import candidates

from tunesmith.candidates import Pool
from tunesmith.errors import InputError

FRAME = pd.DataFrame(
    {
        "id": [3, 3, 5],
        "text": ["a b", "", "ü"],
        "lm": [-1.5, 2.0, 0.0],
        "length": [2, 0, 1],
        "comet": [0.5, 0.25, 0.75],
        "ref": ["r", "r", "s"],
    }
)


def test_columns_have_their_roles_by_name() -> None:
    pool = Pool.from_pandas(FRAME, scores=["comet"], references="ref")
    assert pool.ids == ("3", "5")
    assert candidates(pool) == [
        [("a b", {"lm": -1.5, "length": 2.0}), ("", {"lm": 2.0, "length": 0.0})],
        [("ü", {"lm": 0.0, "length": 1.0})],
    ]
    assert pool.scores["comet"].tolist() == [0.5, 0.25, 0.75]
    assert [list(reference) for reference in pool.references] == [["r", "s"]]


def test_features_may_be_named_and_texts_left_out() -> None:
    pool = Pool.from_pandas(
        FRAME.rename(columns={"id": "sentence"}), id="sentence", text=None, features=["lm"]
    )
    assert pool.feature_names == ("lm",)
    assert pool.texts is None


@pytest.mark.parametrize("make", [list, tuple, np.array])
def test_a_column_of_lists_gives_several_references(make: Any) -> None:
    lists = [make(["r", "q"]), make(["r", "q"]), make(["s", "t"])]
    pool = Pool.from_pandas(FRAME.assign(ref=lists, more=["x", "x", "y"]), references=["ref", "more"])
    assert [list(reference) for reference in pool.references] == [["r", "s"], ["q", "t"], ["x", "y"]]


@pytest.mark.parametrize(
    ("references", "complaint"),
    [
        ([1, 1, 2], "column 'ref' has a value of type int in row 0; expected a text or a list of texts"),
        ([[1], [1], [2]], "column 'ref' has a list with an entry of type int in row 0"),
        ([["a"], ["a"], "b"], None),
        ([["a"], ["a"], ["b", "c"]], "column 'ref' must have the same number of texts in every row"),
        ([{"a"}, {"a"}, {"b"}], "column 'ref' has a value of type set in row 0"),
    ],
)
def test_references_are_texts_or_lists_of_them(references: list[Any], complaint: str | None) -> None:
    frame = FRAME.assign(ref=references)
    if complaint is None:
        assert Pool.from_pandas(frame, references="ref").references == (["a", "b"],)
        return
    with pytest.raises(InputError, match=complaint):
        Pool.from_pandas(frame, references="ref")


@pytest.mark.parametrize(
    ("frame", "options", "complaint"),
    [
        (FRAME, {"scores": ["comett"]}, "no column 'comett' in the data frame; did you mean 'comet'"),
        (FRAME.drop(columns="id"), {}, "no column 'id'"),
        (FRAME, {"scores": ["comet"]}, "column 'ref' has type .*, not numbers"),
        (FRAME, {"references": "ref", "features": []}, "no column of the data frame is left"),
        (FRAME.iloc[[0, 2, 1]], {"references": "ref"}, "group '3' occurs again at row 2"),
        (FRAME.assign(id=[1, None, 2]), {"references": "ref"}, "column 'id' has no value in row 1"),
        (
            FRAME.assign(text=["a", None, "c"]),
            {"references": "ref"},
            "column 'text' has no value in row 1; expected a text",
        ),
        (
            FRAME.assign(lm=[1.0, float("nan"), 2.0]),
            {"references": "ref"},
            "feature 'lm' has no value in 1 of 3 .* row 1",
        ),
        (
            FRAME.assign(ref=["r", "s", "t"]),
            {"references": ["ref"]},
            "column 'ref' has two texts for sentence '3'",
        ),
        (FRAME.assign(ref=["r", "r", None]), {"references": ["ref"]}, "column 'ref' .* expected a text"),
        (
            FRAME.assign(lm=pd.array([1, None, 2], dtype="Int64")),
            {"references": "ref"},
            "feature .* has no value in 1 of 3 candidates, the first in row 1",
        ),
        (FRAME.iloc[:0], {"references": "ref"}, "the table has no rows; expected at least one"),
        (
            pd.concat([FRAME, FRAME], axis=1),
            {},
            r"columns of the data frame are named 'id' \(others that are repeated: 'text'",
        ),
    ],
)
def test_what_is_not_right_is_an_error(frame: pd.DataFrame, options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        Pool.from_pandas(frame, **options)
