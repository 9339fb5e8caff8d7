"""Starting Spark: what it needs, and settings that fit one process per core and no shuffles."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tunesmith.errors import InputError, OptionError

__all__ = ["check_master", "is_local", "open_context", "parse_settings"]

LOG = Path(__file__).with_name("spark-log4j2.properties").absolute()
"""What Spark prints on the driver, unless `spark.log.level` is given."""

OLDEST_JAVA = 17
JAVA = (
    f"Spark needs Java {OLDEST_JAVA} or later: install it, such as by `apt-get install"
    " openjdk-17-jre-headless`, or set JAVA_HOME"
)
_JAVA_SECONDS = 60.0
"""For Java to say which version it is."""


def parse_settings(given: tuple[str, ...]) -> dict[str, str]:
    """Return settings of Spark by name, from texts KEY=VALUE."""
    settings: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not (equals and name.startswith("spark.")):
            raise OptionError(
                "{} {text!r}: expected KEY=VALUE with a setting of Spark, such as spark.executor.memory=4g",
                "spark_conf",
                text=text,
            )
        if name in settings:
            raise OptionError("{} gives {name!r} twice; expected each setting once", "spark_conf", name=name)
        settings[name] = value
    return settings


def check_master(master: str) -> None:
    """Raise OptionError unless a text can be a master of Spark."""
    if not (is_local(master) or master == "yarn" or master.startswith(("spark://", "k8s://"))):
        raise OptionError(
            "{} cannot be {found!r}; expected local[2], local-cluster[2,1,1024], spark://HOST:7077, yarn or"
            " k8s://...",
            "master",
            found=master,
        )


def open_context(master: str, settings: Mapping[str, str]) -> Any:
    """Return a new SparkContext. A missing package or Java, and a master that does not answer, are errors.

    Given `settings` come before ours, and ours before spark-defaults.conf, which is read when Java starts.
    Workers get the interpreter of this process, and on a local master also
    its path of modules; elsewhere the package must be installed, or in an archive (`spark.archives`).
    """
    check_master(master)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of optional packages that nothing here uses
            from pyspark import SparkConf, SparkContext
    except ImportError:
        raise InputError(
            "the Spark executor needs the package pyspark: pip install 'tunesmith[spark]'"
        ) from None
    _check_java()
    if SparkContext._active_spark_context is not None:
        raise OptionError("Spark runs in this process already; stop its SparkContext first")
    _choose_python(settings)
    conf = SparkConf(loadDefaults=True).setMaster(master)
    for name, value in settings.items():
        conf.set(name, value)
    for name, value in _ours(master, conf).items():
        conf.set(name, value)
    return _started(SparkContext, conf, master)


def _choose_python(settings: Mapping[str, str]) -> None:
    """Set the interpreter of workers: that of the settings, or else of the environment, or else this one."""
    if python := settings.get("spark.pyspark.python"):
        os.environ["PYSPARK_PYTHON"] = python  # Spark would prefer the variable to the setting
    else:
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)


def _ours(master: str, conf: Any) -> dict[str, str]:
    """Return settings that hold unless others are given; they replace those of spark-defaults.conf."""
    ours = {
        "spark.app.name": "tunesmith",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.maxResultSize": "0",  # weights of all shards: the driver mixes them
        "spark.rpc.message.maxSize": "1024",
    }
    if not conf.contains("spark.log.level"):
        ours["spark.driver.extraJavaOptions"] = f"-Dlog4j2.configurationFile={LOG.as_uri()}"
    if is_local(master):
        path = [os.path.abspath(part or os.curdir) for part in sys.path]  # noqa: PTH100
        ours |= {
            "spark.ui.enabled": "false",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.executorEnv.PYTHONPATH": os.pathsep.join(path),
        }
    return {name: value for name, value in ours.items() if not conf.contains(name)}


def is_local(master: str) -> bool:
    """Whether executors are on this machine: `local[2]`, `local-cluster[2,1,1024]`."""
    return master == "local" or master.startswith(("local[", "local-cluster["))


def _check_java() -> None:
    """Raise an InputError unless there is a Java, and one that is not too old, as far as it says."""
    home = os.environ.get("JAVA_HOME")
    java = shutil.which(Path(home, "bin", "java") if home else "java")
    if java is None:
        where = f"there is no bin/java in JAVA_HOME, {home}" if home else "there is no `java` on the PATH"
        raise InputError(f"{where}; {JAVA}")
    try:
        done = subprocess.run([java, "-version"], capture_output=True, timeout=_JAVA_SECONDS, check=False)
    except (OSError, subprocess.SubprocessError) as error:
        raise InputError(f"{java} does not run: {error}; {JAVA}") from None
    found = re.search(rb'version "(?:1\.)?(\d+)', done.stderr + done.stdout)
    if found is not None and int(found[1]) < OLDEST_JAVA:
        raise InputError(f"{java} is Java {int(found[1])}; {JAVA}")


def _started(kind: Any, conf: Any, master: str) -> Any:
    """Start Spark, and keep the handler of Ctrl-C, which it replaces by its own."""
    in_main = threading.current_thread() is threading.main_thread()
    handler = signal.getsignal(signal.SIGINT)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return kind(conf=conf)
    except Exception as error:
        text = str(error).strip() or type(error).__name__
        reason = next((line.strip() for line in text.splitlines() if "Exception:" in line), text)
        hint = f"; {JAVA}" if "GATEWAY" in text or "UnsupportedClassVersion" in text else ""
        raise InputError(
            f"Spark did not start with the master {master!r}: {reason.rstrip('.')}{hint}"
        ) from None
    finally:
        if in_main:
            signal.signal(signal.SIGINT, handler)
            signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # a lost connection is an error, not the end
