"""What `import tunesmith` gives, and what lies beside it."""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path

import pytest

import tunesmith

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"


@pytest.mark.parametrize("name", ["DegenerateError", "InputError", "OptionError"])
def test_errors_can_be_caught_without_knowing_their_module(name: str) -> None:
    assert name in tunesmith.__all__
    assert issubclass(getattr(tunesmith, name), tunesmith.TunesmithError)


def test_what_the_one_call_takes_and_returns_is_exported() -> None:
    assert {"Pool", "TuneResult", "get_metric", "tune"} <= set(tunesmith.__all__)
    assert tunesmith.get_metric("bleu").name == "bleu"
    assert tunesmith.tune.__annotations__["return"] == tunesmith.TuneResult.__name__


def test_modules_of_the_package_can_be_imported_under_another_name() -> None:
    import tunesmith.tuning.loop.stopping as module

    assert callable(tunesmith.tune)
    assert module.__name__ == "tunesmith.tuning.loop.stopping"


@pytest.mark.parametrize(
    "name", sorted(path.stem for path in BENCHMARKS.glob("[a-z]*.py") if path.stem != "machine")
)
def test_a_benchmark_runs_without_being_told_anything(name: str) -> None:
    inspect.signature(importlib.import_module(f"benchmarks.{name}").main).bind()
