from __future__ import annotations

import numpy as np
import pytest

from tunesmith.errors import InputError, OptionError
from tunesmith.optimizers.space import Space

NAMES = ("LM0", "LM1", "WordPenalty")


def test_a_space_starts_at_zero_and_is_free() -> None:
    space = Space.build(NAMES)
    assert np.array_equal(space.start, np.zeros(3))
    assert space.free.all()
    assert space.penalty(np.array([1.0, -2.0, 3.0])) == 0.0


def test_strengths_are_shared_by_the_lists() -> None:
    space = Space.build(NAMES, lists=10, l1=2.0, l2=1.0)
    assert space.penalty(np.array([1.0, -2.0, 0.0])) == pytest.approx(0.2 * 3 + 0.05 * 5)


def test_frozen_weights_are_neither_moved_nor_penalized() -> None:
    space = Space.build(NAMES, start={"LM0": 5.0}, frozen=["LM*"], l2=2.0)
    assert space.free.tolist() == [False, False, True]
    assert np.array_equal(space.project(np.array([1.0, 1.0, 1.0])), [5.0, 0.0, 1.0])
    assert space.penalty(np.array([5.0, 0.0, 3.0])) == 9.0


def test_bounds_are_kept_by_projection() -> None:
    space = Space.build(NAMES, bounds={"LM*": (0.0, 1.0), "WordPenalty": (-np.inf, -0.5)})
    assert np.array_equal(space.project(np.array([-1.0, 0.5, 3.0])), [0.0, 0.5, -0.5])
    assert np.array_equal(space.start, [0.0, 0.0, -0.5])


def test_weights_that_a_start_leaves_out_begin_at_the_bound_next_to_zero() -> None:
    space = Space.build(NAMES, start={"LM0": 2.0}, bounds={"LM1": (0.5, 1.0)})
    assert np.array_equal(space.start, [2.0, 0.5, 0.0])


def test_bounds_of_a_name_win_over_those_of_patterns_in_any_order() -> None:
    for bounds in ({"*": (0.0, 1.0), "LM1": (-1.0, 2.0)}, {"LM1": (-1.0, 2.0), "*": (0.0, 1.0)}):
        space = Space.build(NAMES, bounds=bounds)
        assert space.lower.tolist() == [0.0, -1.0, 0.0]
        assert space.upper.tolist() == [1.0, 2.0, 1.0]


def test_of_patterns_the_last_one_wins() -> None:
    space = Space.build(NAMES, bounds={"*": (0.0, 1.0), "LM*": (-1.0, 1.0)})
    assert space.lower.tolist() == [-1.0, -1.0, 0.0]


def test_a_feature_that_is_named_like_a_pattern_is_a_name() -> None:
    space = Space.build(("w*", "w1"), bounds={"w1": (0.0, 1.0), "w*": (-1.0, 1.0)})
    assert space.lower.tolist() == [-1.0, 0.0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"l2": -1.0}, "l2 must be a number of at least 0"),
        ({"l1": float("nan")}, "l1 must be a number of at least 0"),
        ({"bounds": {"LM0": (1.0, 0.0)}}, "is an empty range"),
        ({"bounds": {"LN0": (0.0, 1.0)}}, "no feature matches 'LN0'; did you mean 'LM0'"),
        ({"frozen": ["TM*"]}, r"frozen: no feature matches 'TM\*'"),
        ({"frozen": ["*"]}, "all features are frozen"),
        ({"start": {"LM0": 2.0}, "bounds": {"LM0": (0.0, 1.0)}}, "the start weight 2.0 of 'LM0' is outside"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        Space.build(NAMES, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("start", "message"),
    [
        (
            {"WordPenalti": 1.0},
            "unknown feature .WordPenalti. in the start weights; did you mean .WordPenalty.",
        ),
        (np.zeros(2), "expected 3 start weights"),
        (np.array([0.0, np.nan, 0.0]), "the start weight of 'LM1' is not finite"),
        (
            np.array([0.0, -1e308, 0.0]),
            "the start weight -1e[+]308 of 'LM1' is too large: scores would overflow",
        ),
    ],
)
def test_wrong_start_weights_are_refused(start: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Space.build(NAMES, start=start)  # type: ignore[arg-type]


def test_none_is_no_bound_and_what_is_no_pair_is_an_error() -> None:
    space = Space.build(("a", "b"), bounds={"a": (0, None), "b": (None, 1)})
    assert space.lower.tolist() == [0.0, -np.inf]
    assert space.upper.tolist() == [np.inf, 1.0]
    for wrong in (0, (1,), ("x", 2)):
        with pytest.raises(OptionError, match=r"expected a pair \(low, high\)"):
            Space.build(("a",), bounds={"a": wrong})
