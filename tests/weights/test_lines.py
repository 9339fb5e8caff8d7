"""Lines of weights, against the rules of the format written down a second time in Python."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.weights import WeightStore

_DECIMAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)

TOKENS = st.sampled_from(
    ["a", "b", "a=", "=", "#", "b=1", "a=b=2", "1", "-.5", "+3.", "1e3", "1e-400", "nan", "é"]
)
BLANKS = st.sampled_from([" ", "\t", "  ", "\u00a0", ""])
LINES = st.lists(st.tuples(BLANKS, TOKENS), max_size=4).map(lambda line: "".join(map("".join, line)))


def by_definition(text: str) -> dict[str, float] | int:
    """Return the weights, or the number of the first line that is wrong."""
    values: dict[str, float] = {}
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        tokens = re.split("[ \t]+", stripped)
        if len(tokens) == 1:
            name, _, value = stripped.rpartition("=")
            entries = [(name.removesuffix("="), value)]
        elif len(tokens) == 3 and tokens[1] == "=":
            entries = [(tokens[0].removesuffix("="), tokens[2])]
        elif len(tokens) > 2 and tokens[0].endswith("="):
            entries = [(f"{tokens[0][:-1]}_{index}", value) for index, value in enumerate(tokens[1:])]
        elif len(tokens) == 2:
            entries = [(tokens[0].removesuffix("="), tokens[1])]
        else:
            return number
        for name, value in entries:
            if not name or name in values or not _DECIMAL.fullmatch(value):
                return number
            values[name] = float(value)
    return values


@given(st.lists(LINES, max_size=4).map("\n".join))
@example("a= = 1")
@example("a= = 1 2")
@example("= = 1")
def test_lines_are_read_by_the_rules_of_the_format(text: str) -> None:
    expected = by_definition(text)
    parser = _native.WeightLineParser()
    try:
        parser.feed(text.encode())
        found: dict[str, float] | int | None = dict(WeightStore(parser.finish()).items())
    except InputError as error:
        found = error.line
    assert found == expected


@given(st.dictionaries(st.text("abc", min_size=1), st.floats(allow_nan=False, allow_infinity=False)))
def test_written_lines_are_read_back_as_the_same_numbers(weights: dict[str, float]) -> None:
    parser = _native.WeightLineParser()
    parser.feed(WeightStore.of(weights).native.lines(0, len(weights)))
    assert WeightStore(parser.finish()) == weights


def test_colliding_names_of_a_file_are_reported(tmp_path: Path) -> None:
    (tmp_path / "weights").write_text("mmonmnmmmnmnkllmkkjk 1\nmmjlllllllllnmmmnooo 2\n")
    with pytest.warns(UserWarning, match="have the same key"):
        WeightStore.open(tmp_path / "weights")
