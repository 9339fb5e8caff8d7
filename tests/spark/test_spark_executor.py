"""The Spark executor on a real cluster: the same results and errors as in processes of this machine."""

from __future__ import annotations

import dataclasses
import os
import signal
import threading
from pathlib import Path

import pytest
from tests.distribute.shard_functions import (
    broken,
    copying,
    listing,
    losing_its_executor,
    misusing,
    refusing,
    squared,
    writing,
)

from tunesmith.build import Build
from tunesmith.distribute.spark import SparkExecutor
from tunesmith.errors import InputError, OptionError, TunesmithWarning

pytestmark = pytest.mark.spark


def test_results_and_reports_are_those_of_the_local_executor(cluster: SparkExecutor) -> None:
    heard: list[tuple[int, str]] = []
    found = cluster.map_shards(squared, range(5), progress=lambda number, text: heard.append((number, text)))
    assert found == [0, 1, 4, 9, 16]
    assert sorted(heard) == [(number, f"at {number}") for number in range(5)]
    assert cluster.map_shards(squared, []) == []


def test_without_a_way_to_the_driver_the_last_report_of_a_shard_arrives(
    cluster: SparkExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "_listener", None)
    heard: list[tuple[int, str]] = []
    cluster.map_shards(squared, range(3), progress=lambda number, text: heard.append((number, text)))
    assert sorted(heard) == [(number, f"at {number}") for number in range(3)]


def test_errors_name_the_shard_and_keep_their_place(cluster: SparkExecutor) -> None:
    with pytest.raises(InputError, match=r"^part:7: is empty \(shard 3\)$"):
        cluster.map_shards(refusing, range(3))
    with pytest.raises(OptionError, match=r"epochs must be more than [01] \(shard [12]\)") as caught:
        cluster.map_shards(misusing, range(2))
    assert caught.value.message.spelled(lambda option: f"--{option}").startswith("--epochs must be")
    with pytest.raises(RuntimeError, match="shard 2 failed: IndexError"):
        cluster.map_shards(broken, range(2))
    with pytest.raises(OptionError, match="top level of a module"):
        cluster.map_shards(lambda shard, report: shard, range(2))


def test_files_travel_and_outputs_come_back(cluster: SparkExecutor, tmp_path: Path) -> None:
    source, outputs = tmp_path / "text", [tmp_path / "0", tmp_path / "1"]
    source.write_text("hello\n")
    assert cluster.map_shards(copying, [(source, output) for output in outputs]) == outputs
    for output in outputs:
        first, place = output.read_text().splitlines()
        assert first == "hello"
        assert not Path(place).is_relative_to(tmp_path)


def test_a_folder_is_sent_once(cluster: SparkExecutor, tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    for name in ("a", "b"):
        (tmp_path / "model" / name).write_text(name)
    before = len(cluster._folders)
    found = [place for _ in range(2) for place, _ in cluster.map_shards(listing, [tmp_path / "model"] * 4)]
    assert len(set(found)) <= 2  # one place per executor
    assert all(place.endswith(": a,b") for place in found)
    assert len(cluster._folders) == before + 1


def test_workers_that_have_another_build_than_the_driver_refuse(
    cluster: SparkExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = dataclasses.replace(Build.running(), package="0" * 32)
    monkeypatch.setattr(cluster, "_build", other.record())
    with pytest.raises(InputError, match=r"^a worker on .*: they differ in Python files \(.*\(shard [12]\)$"):
        cluster.map_shards(squared, range(2))
    monkeypatch.undo()
    assert cluster.map_shards(squared, range(2)) == [0, 1]


def test_workers_of_another_build_are_let_through_if_any_is_allowed(
    cluster: SparkExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = dataclasses.replace(Build.running(), machine="another one")
    monkeypatch.setattr(cluster, "_build", other.record())
    monkeypatch.setattr(cluster, "_any_build", True)
    with pytest.warns(TunesmithWarning, match=r"through \(spark.tunesmith.build=any\): a worker on") as told:
        assert cluster.map_shards(squared, range(3)) == [0, 1, 4]
    assert len(told) == 1


def test_an_interrupt_cancels_the_job(cluster: SparkExecutor, tmp_path: Path) -> None:
    files = [tmp_path / "0", tmp_path / "1"]
    cluster_ships, cluster._shipper = cluster._shipper, None  # the files are written at once
    interrupt = threading.Thread(target=_when_written, args=(files,), daemon=True)
    interrupt.start()
    with pytest.raises(KeyboardInterrupt):
        cluster.map_shards(writing, files)
    interrupt.join()
    cluster._shipper = cluster_ships
    assert cluster.map_shards(squared, range(3)) == [0, 1, 4]


def _when_written(files: list[Path]) -> None:
    """Press Ctrl-C when all shards run."""
    waiting = threading.Event()
    while not all(file.exists() for file in files):
        waiting.wait(0.02)
    os.kill(os.getpid(), signal.SIGINT)


def test_a_shard_whose_executor_is_killed_runs_again(cluster: SparkExecutor, tmp_path: Path) -> None:
    marker = tmp_path / "killed"
    found = cluster.map_shards(losing_its_executor, [str(marker)])
    assert len(found) == 1
    assert not Path(f"/proc/{marker.read_text()}").exists()


def test_spark_in_use_and_wrong_settings_are_refused(cluster: SparkExecutor) -> None:
    with pytest.raises(OptionError, match="already"):
        SparkExecutor("local[1]")
    with pytest.raises(OptionError, match="must be the number of a port"):
        SparkExecutor("local[1]", {"spark.tunesmith.reportPort": "x"})
