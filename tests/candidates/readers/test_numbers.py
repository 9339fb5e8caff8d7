from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith import _native
from tunesmith.errors import InputError


def parse(text: str) -> float:
    parser = _native.NumberParser()
    parser.feed(text.encode())
    return float(parser.finish()[0, 0])


@given(
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["{!r}", "{:g}", "{:e}", "{:.17g}", "{:.3f}"]),
)
def test_floats_in_any_spelling_are_read_as_python_reads_them(value: float, spelling: str) -> None:
    text = spelling.format(value)
    assert np.float64(parse(text)).tobytes() == np.float64(text).tobytes()


@given(
    st.from_regex(
        r"[+-]?([0-9]{1,25}\.?[0-9]{0,25}|\.[0-9]{1,25})([eE][+-]?[0-9]{1,3})?",
        fullmatch=True,
        alphabet="0123456789+-.eE",
    )
)
def test_decimals_are_read_as_python_reads_them(text: str) -> None:
    expected = float(text)
    if np.isfinite(expected):
        assert np.float64(parse(text)).tobytes() == np.float64(expected).tobytes()
    else:
        with pytest.raises(InputError, match="expected a finite number"):
            parse(text)


@pytest.mark.parametrize(
    "text",
    ["1" + "0" * 400 + "e-400", "0." + "0" * 400 + "1e401", "1e-99999999999999999999", "0e999", "-1e-400"],
)
def test_numbers_with_long_digits_or_powers_are_read_as_python_reads_them(text: str) -> None:
    assert np.float64(parse(text)).tobytes() == np.float64(text).tobytes()


@pytest.mark.parametrize(
    "text", ["1e99999999999999999999", "1" + "0" * 400, "0.1e400", "-inf", "nan", "+infinity"]
)
def test_numbers_that_no_double_holds_are_not_finite(text: str) -> None:
    with pytest.raises(InputError, match="expected a finite number"):
        parse(text)


@pytest.mark.parametrize(
    "text", ["", "-", "+", ".", "1e", "1e+", "--1", "+-1", "++1", "1,5", "0x10", "1_0", "١", "1f", "e5"]
)
def test_what_is_no_decimal_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        parse(text + "\n")
