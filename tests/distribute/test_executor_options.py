"""Options of executors, and what Spark needs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tunesmith.distribute.local import LocalExecutor
from tunesmith.distribute.options import ExecutorOptions
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
