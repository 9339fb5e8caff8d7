"""How a registry finds its entries, whatever the order and the thread in which it is asked."""

from __future__ import annotations

import sys
import threading
import types
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tunesmith.errors import OptionError
from tunesmith.registry import Registry

PACKAGE = "registry_under_test"
DESK = "desk_of_the_registry"

Make = Callable[..., Registry[object]]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    """Write a package of modules, which find the registry and other objects in the module DESK."""

    def build(modules: dict[str, str], **objects: object) -> Registry[object]:
        folder = tmp_path / PACKAGE
        folder.mkdir()
        (folder / "__init__.py").touch()
        for name, text in modules.items():
            (folder / f"{name}.py").write_text(f"from {DESK} import *\n{text}\n", encoding="utf-8")
        registry: Registry[object] = Registry("thing", PACKAGE)
        desk = types.ModuleType(DESK)
        desk.__dict__.update(objects, registry=registry)
        monkeypatch.setitem(sys.modules, DESK, desk)
        monkeypatch.syspath_prepend(str(tmp_path))
        return registry

    yield build
    for name in [name for name in sys.modules if name.split(".")[0] == PACKAGE]:
        del sys.modules[name]


def test_entries_are_found_by_name_and_unknown_ones_get_a_suggestion(make: Make) -> None:
    registry = make({"a": "registry.register('first')(1)", "b": "registry.register('second')(2)"})
    assert list(registry) == ["first", "second"]
    assert registry["second"] == 2
    with pytest.raises(OptionError, match="unknown thing 'secund'; did you mean 'second'"):
        registry["secund"]


def test_a_thread_that_asks_during_discovery_waits_for_all_entries(make: Make) -> None:
    begun, go_on = threading.Event(), threading.Event()
    wait = "begun.set()\nassert go_on.wait(10)\nregistry.register('late')(1)"
    registry = make({"a": wait}, begun=begun, go_on=go_on)
    found: list[bool] = []
    first = threading.Thread(target=lambda: found.append("late" in registry))
    second = threading.Thread(target=lambda: found.append("late" in registry))
    first.start()
    assert begun.wait(10)
    second.start()
    second.join(0.1)  # one that does not wait is done by now
    go_on.set()
    first.join(10)
    second.join(10)
    assert found == [True, True]


def test_a_failed_import_is_told_again_and_a_repaired_one_completes_the_registry(make: Make) -> None:
    broken = [True]
    fail = "if broken:\n    raise ImportError('not yet')\nregistry.register('b')(2)"
    registry = make({"a": "registry.register('a')(1)", "b": fail}, broken=broken)
    for _ in range(2):
        with pytest.raises(ImportError, match="not yet"):
            len(registry)
    broken.clear()
    assert list(registry) == ["a", "b"]


def test_our_own_names_are_told_without_importing_packages_of_others(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    modules = {name: f"@registry.register('{name}')\nclass Entry: pass" for name in ("b", "a")}
    registry = make(modules)
    with monkeypatch.context() as patch:
        patch.setattr("importlib.metadata.entry_points", lambda **_: pytest.fail("asked for other packages"))
        assert registry.built_in() == ["a", "b"]
    registry.register("foreign")(Registry)
    assert list(registry) == ["a", "b", "foreign"]
    assert registry.built_in() == ["a", "b"]


def test_a_module_may_ask_while_it_is_imported(make: Make) -> None:
    registry = make({"a": "registry.register('a')(1)", "b": "registry.register('b')(registry['a'] + 1)"})
    assert registry["b"] == 2


def test_entry_points_join_by_the_name_of_the_package(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    registry = make({"a": "registry.register('own')(1)"})
    point = types.SimpleNamespace(name="foreign", load=lambda: Registry)
    known = {PACKAGE: [point]}
    monkeypatch.setattr("importlib.metadata.entry_points", lambda *, group: known.get(group, []))
    assert list(registry) == ["foreign", "own"]
    assert registry["foreign"] is Registry


def test_a_name_that_is_a_module_s_imports_that_module_alone(make: Make) -> None:
    registry = make({"a_b": "registry.register('a-b')(1)", "c": "raise ImportError('not wanted')"})
    assert "a-b" in registry
    assert registry["a-b"] == 1
    with pytest.raises(ImportError, match="not wanted"):
        list(registry)
