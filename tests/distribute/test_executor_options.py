"""Options of executors, and what Spark needs."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tunesmith.distribute import spark
from tunesmith.distribute.local import LocalExecutor
from tunesmith.distribute.options import ExecutorOptions
from tunesmith.distribute.spark_context import _check_java, _choose_python
from tunesmith.errors import InputError, OptionError


def test_the_default_is_local_processes() -> None:
    with ExecutorOptions().open(3) as executor:
        assert isinstance(executor, LocalExecutor)
        assert executor.workers == 3 and not executor.ships


@pytest.mark.parametrize("option", [{"master": "yarn"}, {"ship": True}, {"spark_conf": ("spark.a=1",)}])
def test_options_of_spark_need_spark(option: dict[str, object]) -> None:
    with pytest.raises(OptionError, match=f"{next(iter(option))} needs executor spark"):
        ExecutorOptions(**option)


@pytest.mark.parametrize("text", ["executor.memory=4g", "spark.executor.memory", "=4g"])
def test_settings_of_spark_are_checked(text: str) -> None:
    with pytest.raises(OptionError, match="expected KEY=VALUE with a setting of Spark"):
        ExecutorOptions(executor="spark", spark_conf=(text,))
    with pytest.raises(OptionError, match="master cannot be 'host:7077'; expected local"):
        ExecutorOptions(executor="spark", master="host:7077")
    with pytest.raises(OptionError, match="did you mean 'spark'"):
        ExecutorOptions(executor="sparc")


def test_threads_are_the_local_processes_of_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spark, "SparkExecutor", lambda master, settings, ship: master)
    opened: list[object] = [ExecutorOptions(executor="spark").open(workers) for workers in (None, 2)]
    assert opened == ["local[*]", "local[2]"]
    given = ExecutorOptions(executor="spark", master="yarn")
    assert [given.open(workers) for workers in (None, 2)] == ["yarn", "yarn"]  # type: ignore[comparison-overlap]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [({"spark.pyspark.python": "given"}, "given"), ({}, "exported")],
)
def test_a_given_interpreter_is_used_before_an_exported_one(
    settings: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYSPARK_PYTHON", "exported")
    _choose_python(settings)
    assert os.environ["PYSPARK_PYTHON"] == expected


def test_the_port_of_reports_is_checked_before_spark_starts() -> None:
    with pytest.raises(OptionError, match=r"reportPort must be the number of a port, .* 'x'"):
        spark.SparkExecutor("local[1]", {"spark.tunesmith.reportPort": "x"})


@pytest.mark.parametrize("text", ["x", "-2", "1.5", "", "9" * 4301])
def test_the_time_without_executors_is_checked_before_spark_starts(text: str) -> None:
    with pytest.raises(OptionError, match="executorTimeout must be a number of seconds, or -1 to wait"):
        spark.SparkExecutor("local[1]", {"spark.tunesmith.executorTimeout": text})


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspark", None)
    with pytest.raises(InputError, match=r"pip install 'tunesmith\[spark\]'"):
        ExecutorOptions(executor="spark").open(1)


@pytest.mark.parametrize("home", [None, "/nowhere"])
def test_a_missing_java_is_named(home: str | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    package = tmp_path / "pyspark"
    package.mkdir()
    (package / "__init__.py").write_text("SparkConf = SparkContext = None\n")
    monkeypatch.delitem(sys.modules, "pyspark", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    if home is not None:
        monkeypatch.setenv("JAVA_HOME", home)
    with pytest.raises(InputError, match="Java 17"):
        ExecutorOptions(executor="spark").open(1)
    monkeypatch.delitem(sys.modules, "pyspark", raising=False)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ('openjdk version "11.0.23" 2024-04-16', "java is Java 11; Spark needs Java 17"),
        ('java version "1.8.0_411"', "java is Java 8; Spark needs Java 17"),
        ('openjdk version "17.0.15" 2025-04-15', ""),
        ('openjdk version "21" 2023-09-19', ""),
        ("who knows", ""),
    ],
)
def test_a_java_that_is_too_old_is_named(
    said: str, expected: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text(f"#!/bin/sh\necho '{said}' >&2\n")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(InputError, match="no bin/java in JAVA_HOME"):  # it cannot be executed
        _check_java()
    java.chmod(0o755)
    if not expected:
        return _check_java()
    with pytest.raises(InputError, match=expected):
        _check_java()
