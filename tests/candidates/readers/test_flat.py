from __future__ import annotations

import pytest
from tests.candidates.compare import candidates
from tests.candidates.readers.conftest import Make

from tunesmith.candidates import Pool
from tunesmith.errors import InputError, OptionError
from tunesmith.long_lines import LONGEST_TEXT


def test_scores_are_columns_or_lines(make: Make) -> None:
    pool = Pool.read(
        make("a\nb b\n\n d \n"),
        format="flat",
        features={"nmt": make("-1 -2\n-3 -4.5\n", "nmt"), "lm": make("1\n2\n3\n4\n", "lm")},
        references=make("r\ns\n", "ref"),
    )
    assert candidates(pool) == [
        [("a", {"nmt": -1.0, "lm": 1.0}), ("b b", {"nmt": -2.0, "lm": 2.0})],
        [("", {"nmt": -3.0, "lm": 3.0}), (" d ", {"nmt": -4.5, "lm": 4.0})],
    ]
    assert pool.references[0] == ["r", "s"]


def test_the_size_must_be_told_if_no_file_has_columns(make: Make) -> None:
    texts, scores = make("a\nb\nc\nd\n"), make("1\n2\n3\n4\n", "lm")
    with pytest.raises(
        OptionError, match="score files of 1 columns do not give the size of a list; set size"
    ):
        Pool.read(texts, format="flat", features={"lm": scores})
    assert len(Pool.read(texts, format="flat", features={"lm": scores}, size=4)) == 1
    assert len(Pool.read(texts, format="flat", features={"lm": scores}, size=1)) == 4
    with pytest.raises(OptionError, match="size must be at least 1"):
        Pool.read(texts, format="flat", features={"lm": scores}, size=0)


@pytest.mark.parametrize(
    ("texts", "scores", "complaint"),
    [
        ("a\nb\nc\n", "1 2\n3 4\n", r"nbest: 3 lines are not a multiple of 2, the size of a list"),
        ("a\nb\nc\nd\n", "1 2\n", r"lm: 1 lines of 2 numbers; expected 2 lines of 2 or 4 lines of 1"),
        ("a\nb\n", "1 2\n3\n", r"lm:2: found 1 numbers; expected 2, as on the lines before"),
        ("a\nb\n", "1 x\n", r"lm:1: found 'x'; expected a finite number"),
        ("a\nb\n", "1 nan\n", r"lm:1: found 'nan'; expected a finite number"),
        ("a\nb\n", "1 2\n\n", r"lm:2: found an empty line; expected numbers"),
        ("a\nb\n", "", r"lm: the file is empty"),
    ],
)
def test_counts_and_values_that_do_not_fit_are_errors_with_the_file(
    make: Make, texts: str, scores: str, complaint: str
) -> None:
    with pytest.raises(InputError, match=complaint):
        Pool.read(make(texts), format="flat", features={"lm": make(scores, "lm")})


def test_the_size_or_features_must_be_given(make: Make) -> None:
    with pytest.raises(OptionError, match="format 'flat' needs size, the number of candidates"):
        Pool.read(make("a\n"), format="flat")


def test_a_flat_text_that_is_too_long_is_an_error(make: Make) -> None:
    path = make("a\n" + "x" * (LONGEST_TEXT + 1) + "\n", "nbest")
    with pytest.raises(InputError, match=r"nbest:2: a line of more than 4,194,304 bytes"):
        Pool.read(path, format="flat", size=2)
