"""Refusing to continue a run: its settings differ, or an earlier build named them otherwise."""

from __future__ import annotations

import pytest

from tunesmith.differences import RENAMED, check_same
from tunesmith.errors import OptionError


def test_equal_settings_are_no_difference() -> None:
    check_same("run", "a run", {"average": "epochs", "threads": "x"}, {"average": "epochs", "threads": "x"})


@pytest.mark.parametrize(("before", "now"), RENAMED.items())
def test_a_setting_that_was_renamed_is_refused_by_both_names(before: str, now: str) -> None:
    with pytest.raises(OptionError) as caught:
        check_same("run", "a run", {before: 3}, {now: 3})
    assert str(caught.value) == (
        f"run contains a run of an earlier build, which names {now} {before!r}; finish it with that build, or"
        " use restart or another folder to start anew"
    )
    assert caught.value.message.options == (now, "restart")


def test_a_value_that_was_renamed_is_refused_by_both_names() -> None:
    with pytest.raises(OptionError, match="with average iterations, which is epochs now; finish it"):
        check_same("run", "a run", {"average": "iterations"}, {"average": "none"})
