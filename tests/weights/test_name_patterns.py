"""Patterns of feature names."""

from __future__ import annotations

from fnmatch import fnmatchcase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.weights.name_patterns import name_matcher

LETTERS = st.text("aA*?[]!-_.|\\\n", max_size=6)


@given(st.lists(LETTERS, max_size=3), LETTERS)
def test_a_name_matches_if_one_of_the_patterns_does_or_is_the_name(patterns: list[str], name: str) -> None:
    matches = name_matcher(patterns)
    assert matches(name) == any(name == each or fnmatchcase(name, each) for each in patterns)
    assert all(map(matches, patterns))


@pytest.mark.parametrize(
    ("patterns", "matching", "others"),
    [
        (["LM*"], ["LM", "LM0"], ["lm0", "ALM0"]),
        (["f[01]", "s?"], ["f0", "s2", "f[01]"], ["f2", "s", "s22"]),
        (["TB_a.b"], ["TB_a.b"], ["TB_a:b", "TB_a.b\n"]),
        ([], [], ["", "f0"]),
    ],
)
def test_patterns_are_those_of_file_names(
    patterns: list[str], matching: list[str], others: list[str]
) -> None:
    matches = name_matcher(patterns)
    assert [name for name in (*matching, *others) if matches(name)] == matching
