"""Online learning on real clusters of Spark: weights identical, bit for bit, to local processes."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.commands import run_process
from tests.distribute.shard_functions import kill_executor_once
from tests.spark.standalone import standalone_cluster

import tunesmith
from tunesmith.distribute.spark import SparkExecutor
from tunesmith.features.base import TEMPLATES
from tunesmith.generated import write_corpus
from tunesmith.systems.model import ModelSystem
from tunesmith.systems.model_setup import ModelSetup
from tunesmith.tuning.online.tune import tune_online

pytestmark = pytest.mark.spark

OPTIONS: dict[str, Any] = {"shards": 4, "epochs": 2, "nbest": 15, "start_scale": 1.0}
FLAGS = ("--shards", 4, "--epochs", 2, "--nbest", 15, "--start-scale", 1, "--template", "target-bigrams")


class Killing(ModelSystem):
    """A decoder that kills the executor of Spark that it runs in, at its third list, once."""

    marker: Path
    lists = 0

    def candidates(self, sentence: int, *how: Any) -> Any:
        self.lists += 1
        if self.lists == 3:
            kill_executor_once(self.marker)
        return super().candidates(sentence, *how)


@dataclass(frozen=True)
class KillingSetup(ModelSetup):
    """Opens such a decoder; the marker is a text, so that it is not sent along."""

    marker: str = ""

    def open(self, size: int | None = None, fold: int | None = None) -> ModelSystem:
        system = Killing(super().open().decoder, self._sentences[0], records_all=True)
        system.marker = Path(self.marker)
        return system


@pytest.fixture(scope="module")
def dev(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Path]]:
    files = write_corpus(tmp_path_factory.mktemp("dev") / "dev", 16, seed=2, lowercase=True)
    return Path(files.source), [Path(target) for target in files.targets]


@pytest.fixture(scope="module")
def setup(small_model: Path, dev: tuple[Path, list[Path]]) -> ModelSetup:
    return ModelSetup.of(small_model, *dev, templates=[TEMPLATES["target-bigrams"]()])


@pytest.fixture(scope="module")
def local(setup: ModelSetup, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a local run."""
    return tune_online(setup, output=tmp_path_factory.mktemp("local"), threads=1, **OPTIONS).folder


def test_an_executor_killed_in_mid_iteration_changes_no_bit(
    cluster: SparkExecutor, setup: ModelSetup, local: Path, tmp_path: Path
) -> None:
    marker, ticks = tmp_path / "killed", list[tuple[str, int, int]]()
    killing = KillingSetup(**setup.__getstate__(), marker=str(marker))
    result = tune_online(
        killing,
        output=tmp_path / "run",
        executor=cluster,
        tick=lambda *tick: ticks.append(tick),
        **OPTIONS,
    )
    assert not Path(f"/proc/{marker.read_text()}").exists()
    assert result.weights.read_bytes() == (local / "weights").read_bytes()
    assert ("epoch 2", 16, 16) in ticks
    records = [
        [json.loads(line) for line in (folder / "history.jsonl").read_text().splitlines()]
        for folder in (local, tmp_path / "run")
    ]
    assert records[0][2]["by_shard"] == records[1][2]["by_shard"]
    assert sum(records[1][2]["by_shard"]["sentences"]) == 16


def test_a_standalone_cluster_with_shared_files_gives_the_same(
    standalone: str, small_model: Path, dev: tuple[Path, list[Path]], local: Path, tmp_path: Path
) -> None:
    """With relative paths: the workers are in folders of their own."""
    given = {"model": small_model, "dev.de": dev[0], "dev.en": dev[1][0]}
    for name, path in given.items():
        (tmp_path / name).symlink_to(path)
    command = ("tune", "online", "model", "--source", "dev.de", "--references", "dev.en", *FLAGS)
    done = run_process(*command, "-o", "run", "--threads", 1, *on_cluster(standalone), folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "epoch 2: " in done.stderr and "Exception" not in done.stderr
    assert (tmp_path / "run" / "weights").read_bytes() == (local / "weights").read_bytes()


def test_workers_whose_tunesmith_has_another_constant_learn_nothing(
    small_model: Path, dev: tuple[Path, list[Path]], tmp_path: Path
) -> None:
    package = tmp_path / "other" / "tunesmith"
    shutil.copytree(Path(tunesmith.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    changed = package / "tuning" / "online" / "start_scale.py"
    changed.write_text(changed.read_text().replace("SENTENCES = ", "SENTENCES = 1 + "))
    path = os.pathsep.join([str(package.parent), *sys.path])
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nPYTHONPATH={shlex.quote(path)}:$PYTHONPATH exec {sys.executable} "$@"\n')
    python.chmod(0o755)
    command = ("tune", "online", small_model, "--source", dev[0], "--references", dev[1][0], *FLAGS)
    where = ("--executor", "spark", "--master", "local[1]", "--spark-conf", f"spark.pyspark.python={python}")
    done = run_process(*command, "-o", tmp_path / "run", *where)
    assert done.returncode == 1 and not (tmp_path / "run" / "weights").exists()
    assert "a worker on " in done.stderr and ": they differ in Python files (" in done.stderr
    assert "Traceback" not in done.stderr


def on_cluster(master: str) -> list[str]:
    """Options for a cluster whose workers look for packages where this process does."""
    path = os.pathsep.join(str(Path(part).absolute()) for part in sys.path)
    conf = {
        "spark.executor.memory": "512m",
        "spark.driver.host": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.executorEnv.PYTHONPATH": path,  # where the package is: it need not be installed
    }
    flags = [word for name, value in conf.items() for word in ("--spark-conf", f"{name}={value}")]
    return ["--executor", "spark", "--master", master, *flags]


@pytest.fixture(scope="module")
def standalone(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with standalone_cluster(tmp_path_factory.mktemp("standalone")) as master:
        yield master
