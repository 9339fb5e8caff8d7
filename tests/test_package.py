"""What `import tunesmith` gives."""

from __future__ import annotations

import pytest

import tunesmith


@pytest.mark.parametrize("name", ["DegenerateError", "InputError", "OptionError"])
def test_errors_can_be_caught_without_knowing_their_module(name: str) -> None:
    assert name in tunesmith.__all__
    assert issubclass(getattr(tunesmith, name), tunesmith.TunesmithError)


def test_what_the_one_call_takes_and_returns_is_exported() -> None:
    assert {"Pool", "TuneResult", "get_metric", "tune"} <= set(tunesmith.__all__)
    assert tunesmith.get_metric("bleu").name == "bleu"
    assert tunesmith.tune.__annotations__["return"] == tunesmith.TuneResult.__name__
