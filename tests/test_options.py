from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pytest

from tunesmith.errors import OptionError
from tunesmith.options import (
    check_option,
    check_options,
    check_seed,
    option_types,
    parse_option,
    require_at_least,
)


@dataclass(frozen=True)
class Settings:
    flag: bool = False
    count: int = 3
    rate: float = 0.5
    name: str = "x"
    kind: Literal["a", "b"] = "a"
    size: int | None = None
    gamma: float | None = None
    anything: object = None


def test_defaults_and_good_values_pass() -> None:
    check_options(Settings(), "settings")
    check_options(Settings(True, -1, 2, "", "b", 4, 1e300, [1]), "settings")


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("flag", 1, "must be true or false"),
        ("count", "x", "must be a whole number, not 'x'"),
        ("count", 2.5, "must be a whole number"),
        ("count", 2.0, "must be a whole number"),
        ("count", True, "must be a whole number"),
        ("count", None, "must be a whole number"),
        ("rate", "0.5", "must be a finite number"),
        ("rate", float("inf"), "must be a finite number"),
        ("rate", float("nan"), "must be a finite number"),
        ("rate", 10**400, "must be a finite number"),
        ("rate", False, "must be a finite number"),
        ("name", 3, "must be a text"),
        ("kind", "c", "cannot be 'c'; choose from a, b"),
        ("size", 1.5, "must be a whole number or none"),
        ("gamma", float("nan"), "must be a finite number or none"),
    ],
)
def test_values_of_another_type_are_refused(option: str, value: Any, message: str) -> None:
    with pytest.raises(OptionError, match=f"settings: {option} {message}"):
        check_options(Settings(**{option: value}), "settings")
    with pytest.raises(OptionError, match=message):
        check_option("settings", option, option_types(Settings)[option], value)


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [
        ("flag", "true", True),
        ("flag", "False", False),
        ("count", "-4", -4),
        ("rate", "3", 3.0),
        ("rate", "1e-3", 0.001),
        ("name", "3", "3"),
        ("kind", "b", "b"),
        ("size", "7", 7),
        ("size", "none", None),
        ("gamma", "None", None),
        ("anything", "text", "text"),
    ],
)
def test_text_is_parsed_by_type(option: str, text: str, value: Any) -> None:
    found = parse_option(f"--{option}", option_types(Settings)[option], text)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("option", "text"),
    [
        ("flag", "1"),
        ("count", "2.5"),
        ("count", ""),
        ("count", "none"),
        ("rate", "inf"),
        ("rate", "x"),
        ("kind", "c"),
        ("size", "1e3"),
        ("gamma", "nan"),
        ("count", "9" * 30),
        ("count", "9" * 5000),
        ("rate", "9" * 400),
    ],
)
def test_text_of_another_type_is_refused(option: str, text: str) -> None:
    with pytest.raises(OptionError, match=f"^--{option}"):
        parse_option(f"--{option}", option_types(Settings)[option], text)


def test_a_least_value_is_demanded_by_name() -> None:
    require_at_least(1, "method", passes=1, rounds=2)
    with pytest.raises(OptionError, match="method: rounds must be at least 1, not 0"):
        require_at_least(1, "method", passes=1, rounds=0)


@pytest.mark.parametrize("seed", [-1, 2**63, 2**70, 1.0, True, "1", None])
def test_seeds_that_native_code_cannot_hold_are_refused(seed: Any) -> None:
    with pytest.raises(OptionError, match="seed must be a whole number"):
        check_seed(seed)
    check_seed(0)
    check_seed(2**63 - 1)
    check_seed(np.int64(5))  # type: ignore[arg-type]
