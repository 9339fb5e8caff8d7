"""Builds: equal sources give equal ones wherever they are, and what a result may depend on is noticed."""

from __future__ import annotations

import dataclasses
import json
import os
import py_compile
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.commands import PROGRAM, run

from tunesmith.build import VARIABLE, Build, check_parent, child_environment, package_digest, require_same
from tunesmith.errors import InputError

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "one" / "package"
    (folder / "room").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "room" / "rate.py").write_text("RATE = 0.5\n")
    return folder


def other(**changes: str) -> dict[str, str]:
    return dataclasses.replace(Build.running(), **changes).record()


def test_a_copy_of_a_package_has_its_digest_whatever_python_has_compiled(
    package: Path, tmp_path: Path
) -> None:
    shutil.copytree(package, tmp_path / "two")
    py_compile.compile(str(package / "room" / "rate.py"))
    (package / "room" / ".rate.py.swp").write_text("")
    (package / "native.so").write_bytes(b"")
    assert package_digest(package) == package_digest(tmp_path / "two")


@pytest.mark.parametrize(
    "change",
    [
        lambda room: (room / "rate.py").write_text("RATE = 0.6\n"),
        lambda room: (room / "rate.py").rename(room / "rates.py"),
        lambda room: (room / "more.py").write_text(""),
        lambda room: py_compile.compile(str(room / "rate.py"), cfile=str(room / "alone.pyc")),
    ],
    ids=["constant", "name", "file", "compiled file without its source"],
)
def test_a_changed_package_has_another_digest(package: Path, change: object) -> None:
    before = package_digest(package)
    assert callable(change)
    change(package / "room")
    assert package_digest(package) != before


def test_compiled_files_count_only_without_their_source(package: Path) -> None:
    before = package_digest(package)
    py_compile.compile(str(package / "room" / "rate.py"), cfile=str(package / "room" / "rate.pyc"))
    assert package_digest(package) == before
    (package / "room" / "rate.py").unlink()
    assert package_digest(package) != before


def test_the_number_of_a_version_is_no_difference_and_sources_are() -> None:
    running = Build.running()
    require_same(other(version="9.9"), running, "here", "the driver", "do it")
    assert Build.of(other(version="9.9")) != running
    changes = {"version": "0.2.0", "package": "f" * 32, "libraries": "numpy 1.0"}
    with pytest.raises(InputError) as caught:
        require_same(other(**changes), running, "a worker on w2", "the driver", "install it there")
    found = str(caught.value)
    assert found.startswith(
        f"a worker on w2 has Tunesmith {running.version} ({running.fingerprint[:12]}), but"
    )
    assert "the driver Tunesmith 0.2.0 (" in found and found.endswith("; install it there")
    assert f"Python files ({running.package[:12]}, not ffffffffffff)" in found
    assert f"libraries ({running.libraries}, not numpy 1.0)" in found


@pytest.mark.parametrize(
    "record", [None, {}, {"version": 1}, [], {**other(), "more": ""}, {**other(), "native": 1}]
)
def test_a_record_that_is_not_of_a_build_is_another_one(record: object) -> None:
    with pytest.raises(InputError, match="which does not say what it is made of; do it"):
        require_same(record, Build.running(), "here", "the driver", "do it")


def test_commands_refuse_to_be_started_by_another_build(monkeypatch: pytest.MonkeyPatch) -> None:
    check_parent()
    monkeypatch.setattr(os, "environ", child_environment())
    check_parent()
    assert run("tune", "methods").returncode == 0
    for text in (json.dumps(other(native="0" * 32)), "{", "[" * 100_000):
        monkeypatch.setenv(VARIABLE, text)
        done = run("tune", "methods")
        assert done.returncode == 1 and "the process that started it" in done.stderr
        assert f"begin its command with `env -u {VARIABLE}`" in done.stderr


def test_commands_that_another_build_starts_say_which_build_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, json.dumps(other(native="0" * 32)))
    for asked in (["--version"], ["--help"], ["tune", "--help"], ["tune", "methods", "--help"]):
        done = run(*asked)
        assert done.returncode == 0 and done.stdout and not done.stderr


@pytest.mark.process
def test_native_code_records_its_sources_and_not_where_they_are(tmp_path: Path) -> None:
    cmake = shutil.which(
        "cmake", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    )
    if cmake is None:
        pytest.skip("needs cmake")

    def record(tree: Path, flags: str = "-O3") -> str:
        output = tmp_path / "record.cpp"
        given = {"ROOT": tree, "OUTPUT": output, "FLAGS": flags, "COMPILER": "GNU 1.2"}
        words = [word for name, value in given.items() for word in ("-D", f"{name}={value}")]
        script = ROOT / "native" / "build_record.cmake"
        subprocess.run([cmake, *words, "-P", str(script)], check=True)
        return output.read_text()

    trees = [tmp_path / "a", tmp_path / "b" / "c"]
    for tree in trees:
        for name in ("native/include/tunesmith/base/a.h", "native/src/b.cpp", "native/bind/c.cpp"):
            (tree / name).parent.mkdir(parents=True)
            (tree / name).write_text("constexpr int kSize = 1;\n")
    first = record(trees[0])
    assert first == record(trees[1]) and 'kCompiler = "GNU 1.2"' in first
    assert record(trees[0], "-O2") != first
    (trees[0] / "native/include/tunesmith/base/a.h").write_text("constexpr int kSize = 2;\n")
    assert record(trees[0]) != first


@pytest.mark.process
def test_starting_a_command_does_not_compute_the_build() -> None:
    code = "import sys; sys.argv[1:] = ['--help']\ntry:\n import tunesmith.__main__\nfinally:\n" + (
        " print('tunesmith.build' in sys.modules)"
    )
    environment = {name: value for name, value in os.environ.items() if name != VARIABLE}
    done = subprocess.run(
        [PROGRAM[0], "-c", code], capture_output=True, text=True, check=False, env=environment
    )
    assert done.stdout.endswith("False\n"), done
