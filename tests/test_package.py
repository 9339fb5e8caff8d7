"""What `import tunesmith` gives, and what lies beside it."""

from __future__ import annotations

import ast
import importlib
import inspect
from pathlib import Path
from types import ModuleType

import pytest
from benchmarks.__main__ import NOT_BENCHMARKS

import tunesmith
import tunesmith.align
import tunesmith.tuning

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"


@pytest.mark.parametrize("name", ["DegenerateError", "InputError", "OptionError"])
def test_errors_can_be_caught_without_knowing_their_module(name: str) -> None:
    assert name in tunesmith.__all__
    assert issubclass(getattr(tunesmith, name), tunesmith.TunesmithError)


def test_what_the_one_call_takes_and_returns_is_exported() -> None:
    assert {"Pool", "TuneResult", "get_metric", "tune"} <= set(tunesmith.__all__)
    assert tunesmith.get_metric("bleu").name == "bleu"
    assert tunesmith.tune.__annotations__["return"] == tunesmith.TuneResult.__name__


def test_all_public_names_load_and_are_listed() -> None:
    assert {name for name in tunesmith.__all__ if getattr(tunesmith, name, None) is None} == set()
    assert set(tunesmith.__all__) <= set(dir(tunesmith))
    with pytest.raises(AttributeError, match="has no attribute 'tuned'"):
        tunesmith.tuned  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize("package", [tunesmith, tunesmith.tuning], ids=["tunesmith", "tuning"])
def test_names_that_load_on_use_are_those_that_a_type_checker_sees(package: ModuleType) -> None:
    tree = ast.parse(Path(package.__file__ or "").read_text(encoding="utf-8"))
    (checked,) = (node for node in tree.body if isinstance(node, ast.If))
    imports = [node for node in checked.body if isinstance(node, ast.ImportFrom)]
    (table,) = (node for node in ast.walk(tree) if isinstance(node, ast.Dict))
    names = ast.literal_eval(table)
    assert names == {node.module: " ".join(name.name for name in node.names) for node in imports}
    assert sorted(package.__all__) == sorted(" ".join(names.values()).split())


def test_no_public_name_is_that_of_a_package_or_hides_a_module() -> None:
    root = Path(tunesmith.__file__).parent
    packages = [path.parent for path in root.rglob("__init__.py")]
    for folder in packages:
        name = ".".join(["tunesmith", *folder.relative_to(root).parts])
        public = set(getattr(importlib.import_module(name), "__all__", ()))
        assert public & {each.name for each in packages} == set(), name
    assert set(tunesmith.__all__) & {path.stem for path in root.glob("*.py")} == set()
    assert set(tunesmith.tuning.__all__) & {path.stem for path in (root / "tuning").glob("*.py")} == set()


def test_modules_of_the_package_can_be_imported_under_another_name() -> None:
    import tunesmith.tuning.loop.stopping as module

    assert callable(tunesmith.tune)
    assert module.__name__ == "tunesmith.tuning.loop.stopping"


@pytest.mark.parametrize(
    "name", sorted(path.stem for path in BENCHMARKS.glob("[a-z]*.py") if path.stem not in NOT_BENCHMARKS)
)
def test_a_benchmark_runs_without_being_told_anything(name: str) -> None:
    inspect.signature(importlib.import_module(f"benchmarks.{name}").main).bind()
