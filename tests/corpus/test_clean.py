"""Which pairs are kept, and what becomes of white space, control characters and case."""

from __future__ import annotations

import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.corpus.clean import REASONS, Cleaning, count_tokens, lowercase, space_lines
from tunesmith.errors import OptionError
from tunesmith.texts import Texts

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


def reason(source: int, target: int, **options: float) -> str:
    return REASONS[Cleaning(**options).reasons([source], [target])[0]]


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        (1, 1, "kept"),
        (80, 80, "kept"),
        (81, 80, "long"),
        (80, 81, "long"),
        (0, 5, "empty"),
        (5, 0, "empty"),
        (0, 0, "empty"),
        (9, 1, "kept"),
        (10, 1, "ratio"),
        (1, 10, "ratio"),
    ],
)
def test_lengths_and_ratio_are_limited_as_by_moses(source: int, target: int, expected: str) -> None:
    assert reason(source, target) == expected


def test_options_move_the_limits() -> None:
    assert reason(2, 9, min_length=3) == "short"
    assert reason(100, 100, max_length=100) == "kept"
    assert reason(3, 1, ratio=2) == "ratio"
    assert reason(0, 0, min_length=0) == "kept"
    assert reason(1, 0, min_length=0) == "ratio"


def test_pairs_with_control_characters_are_dropped_on_demand() -> None:
    controls = np.array([True, False])
    assert Cleaning(controls="drop").reasons([1, 1], [1, 1], controls).tolist() == [1, 0]
    assert Cleaning().reasons([1, 1], [1, 1], controls).tolist() == [0, 0]


@pytest.mark.parametrize(
    "options",
    [
        {"min_length": -1},
        {"max_length": 0},
        {"min_length": 5, "max_length": 4},
        {"ratio": 0.5},
        {"ratio": float("nan")},
    ],
)
def test_limits_that_make_no_sense_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(OptionError):
        Cleaning(**options)


@given(st.lists(TEXT, max_size=5))
def test_white_space_is_one_space_and_control_characters_vanish(lines: list[str]) -> None:
    def expected(line: str) -> str:
        kept = (c for c in line if c.isspace() or unicodedata.category(c) != "Cc")
        return " ".join("".join(kept).split())

    spaced, controls = space_lines(Texts.of(lines))
    assert list(spaced) == [expected(line) for line in lines]
    assert controls.tolist() == [
        any(unicodedata.category(c) == "Cc" and not c.isspace() for c in line) for line in lines
    ]


def test_tabs_and_line_separators_stand_between_tokens() -> None:
    spaced, controls = space_lines(Texts.of(["\ta\u2028b\u00a0c\x00d\u3000"]))
    assert list(spaced) == ["a b cd"]
    assert controls.tolist() == [True]


@given(st.lists(TEXT.map(lambda text: text.replace("\n", "")), max_size=5))
def test_lowercasing_is_that_of_python(lines: list[str]) -> None:
    assert list(lowercase(Texts.of(lines))) == [line.lower() for line in lines]


def test_special_cases_of_lowercasing_hold() -> None:
    lines = ["ΟΔΟΣ", "ΣΑΣ", "İI", "\u212a", "ẞ", "ABC", ""]
    assert list(lowercase(Texts.of(lines))) == [line.lower() for line in lines]
    assert list(lowercase(Texts.of(["\u212a", "A"]))) == ["k", "a"]


@given(st.lists(st.text("ab \t", max_size=20), max_size=5))
def test_tokens_are_counted_between_ascii_spaces(lines: list[str]) -> None:
    assert count_tokens(Texts.of(lines)).tolist() == [
        len([t for t in line.split(" ") if t]) for line in lines
    ]
