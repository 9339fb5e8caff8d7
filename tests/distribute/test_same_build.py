"""Every worker process computes only with the driver's build: local ones, and those of Spark."""

from __future__ import annotations

import dataclasses
import pickle
import re
from pathlib import Path
from typing import Any

import pytest
from tests.distribute.shard_functions import current_folder, reading, squared

from tunesmith.build import Build
from tunesmith.distribute import LocalExecutor
from tunesmith.distribute.base import pickled_task
from tunesmith.distribute.spark import BUILD, SparkExecutor, _any_build
from tunesmith.distribute.spark_worker import CheckedRunner, Event
from tunesmith.errors import InputError, OptionError, TunesmithWarning


class Events:
    """What stands for an accumulator of Spark."""

    def __init__(self) -> None:
        self.heard: list[Event] = []

    def add(self, events: list[Event]) -> None:
        self.heard += events


def ran(build: dict[str, str], task: bytes, folder: str = "") -> Event:
    """Return what a worker of Spark, which this process stands for, says of a task."""
    events = Events()
    CheckedRunner(1, None, {}, frozenset(), events, None, build, folder)((0, task))
    return next(event for event in events.heard if event.kind != "undelivered")


def test_a_worker_of_spark_works_for_its_own_build_only() -> None:
    task = pickled_task(squared, 3, 0)
    own = Build.running()
    assert ran(own.record(), task).kind == "done"
    assert ran(dataclasses.replace(own, version="9.9").record(), task).kind == "done"
    refused = ran(dataclasses.replace(own, version="9.9", package="0" * 32).record(), task)
    assert refused.kind == "failed" and isinstance(refused.value, InputError)
    found = str(refused.value)
    assert found.startswith("a worker on ") and "but the driver Tunesmith 9.9 (" in found
    assert "they differ in Python files (" in found and "install the same build there" in found


def test_a_file_that_a_worker_does_not_have_is_named_with_the_worker_and_what_to_do(tmp_path: Path) -> None:
    missing = tmp_path / "missing" / "shards.npz"
    refused = ran(Build.running().record(), pickled_task(reading, missing, 0)).value
    expected = "no such file on the worker .*; without ship all machines must see the same folders under"
    assert isinstance(refused, InputError) and re.match(f"{missing}: {expected}", str(refused)), refused
    again = pickle.loads(pickle.dumps(refused))
    again.respell(lambda option: f"--{option}")
    assert "; without --ship all" in str(again)


def test_a_worker_is_in_the_folder_of_the_driver_if_it_has_that(tmp_path: Path) -> None:
    task, own, here = pickled_task(current_folder, 0, 0), Build.running().record(), str(Path.cwd())
    for folder, expected in ((str(tmp_path), str(tmp_path)), (str(tmp_path / "none"), here), ("", here)):
        assert pickle.loads(ran(own, task, folder).value.result) == expected
    assert str(Path.cwd()) == here


def test_a_worker_compares_before_it_reads_the_task() -> None:
    other = dataclasses.replace(Build.running(), native="0" * 32).record()
    assert isinstance(ran(other, b"what another version cannot read").value, InputError)


def test_a_worker_of_any_build_works_and_says_what_differs_before() -> None:
    task, events = pickled_task(squared, 3, 0), Events()
    other = dataclasses.replace(Build.running(), machine="x86_64, glibc 2.17").record()
    CheckedRunner(1, None, {}, frozenset(), events, None, other, any_build=True)((0, task))
    told, done = [event for event in events.heard if event.kind != "undelivered"]
    assert (told.kind, done.kind) == ("build", "done")
    assert "they differ in system (" in told.value and "not x86_64, glibc 2.17)" in told.value


def test_the_setting_that_lets_workers_through_has_two_values() -> None:
    assert (_any_build("same"), _any_build("any")) == (False, True)
    with pytest.raises(OptionError, match=r"spark\.tunesmith\.build must be same or any, not 'none'"):
        SparkExecutor(settings={BUILD: "none"})


def test_workers_of_another_build_are_told_once() -> None:
    driver: Any = SparkExecutor.__new__(SparkExecutor)  # without Spark
    driver._has_let_through = False
    with pytest.warns(TunesmithWarning, match="another build are let through") as told:
        for number in range(3):
            driver._let_through(f"a worker on node{number} has another build")
    assert len(told) == 1


@pytest.mark.process
def test_local_workers_refuse_a_package_that_has_changed_since(monkeypatch: pytest.MonkeyPatch) -> None:
    other: Any = dataclasses.replace(Build.running(), package="0" * 32)
    monkeypatch.setattr(Build, "running", lambda: other)
    with LocalExecutor(2) as executor, pytest.raises(InputError) as caught:
        executor.map_shards(squared, range(3))
    assert "the package has changed since the run began" in str(caught.value)
    monkeypatch.undo()
    with LocalExecutor(2) as executor:
        assert executor.map_shards(squared, range(3)) == [0, 1, 4]
