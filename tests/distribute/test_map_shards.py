"""`map_shards`: the same results in any number of processes, errors that name shards, and no orphans."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.distribute.shard_functions import broken, dying, misusing, numbered, refusing, squared

from tunesmith.distribute import LocalExecutor, map_shards
from tunesmith.errors import InputError, OptionError

pytestmark = pytest.mark.process

ROOT = Path(__file__).resolve().parents[2]
WORKERS = (1, 2, 3)


@pytest.mark.parametrize("workers", WORKERS)
def test_results_are_in_the_order_of_shards(workers: int) -> None:
    heard: list[tuple[int, str]] = []
    found = map_shards(
        squared, range(5), workers=workers, progress=lambda number, text: heard.append((number, text))
    )
    assert found == [0, 1, 4, 9, 16]
    assert sorted(heard) == [(number, f"at {number}") for number in range(5)]


@pytest.mark.parametrize("workers", WORKERS[:2])
def test_errors_name_the_shard_and_keep_their_place(workers: int) -> None:
    with pytest.raises(InputError, match=r"^part:7: is empty \(shard 3\)$"):
        map_shards(refusing, range(3), workers=workers)
    with pytest.raises(OptionError, match=r"epochs must be more than [01] \(shard [12]\)") as caught:
        map_shards(misusing, range(2), workers=workers)
    assert caught.value.message.spelled(lambda option: f"--{option}").startswith("--epochs must be")
    with pytest.raises(RuntimeError, match="shard 2 failed: IndexError"):
        map_shards(broken, range(2), workers=workers)


def test_a_killed_worker_is_an_error() -> None:
    with pytest.raises(InputError, match=r"worker of shard 2 was killed by signal 9"):
        map_shards(dying, range(2), workers=2)


def test_an_executor_keeps_its_workers_and_recovers_from_an_error() -> None:
    with LocalExecutor(2) as executor:
        first = executor.map_shards(numbered, range(2))
        assert set(executor.map_shards(numbered, range(6))) <= set(first)
        with pytest.raises(InputError):
            executor.map_shards(refusing, range(3))
        assert executor.map_shards(squared, range(3)) == [0, 1, 4]
        assert os.getpid() not in first


def test_what_workers_cannot_import_is_refused() -> None:
    with pytest.raises(OptionError, match="top level of a module"):
        map_shards(lambda shard, report: shard, range(2), workers=2)


def ended(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return True
    return state == "Z"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_workers_end_with_the_driver(number: int, tmp_path: Path) -> None:
    files = [tmp_path / "0", tmp_path / "1"]
    code = (
        "from pathlib import Path; from tunesmith.distribute import map_shards;"
        "from tests.distribute.shard_functions import writing;"
        f"map_shards(writing, [Path({str(files[0])!r}), Path({str(files[1])!r})], workers=2)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*sys.path, str(ROOT)])}
    driver = subprocess.Popen([sys.executable, "-c", code], env=environment, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 30
    while not all(file.exists() and file.read_text() for file in files):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    workers = [int(file.read_text()) for file in files]
    driver.send_signal(number)
    assert driver.wait(30) != 0
    while not all(map(ended, workers)):
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize("workers", WORKERS[:2])
def test_each_result_is_handed_over_when_its_shard_is_finished(workers: int) -> None:
    taken: list[tuple[int, int]] = []
    with LocalExecutor(workers) as executor:
        executor.map_shards(squared, range(3), done=lambda *found: taken.append(found))
        assert sorted(taken) == [(0, 0), (1, 1), (2, 4)]
        with pytest.raises(InputError):
            executor.map_shards(refusing, range(3), done=lambda *found: taken.append(found))
    assert set(taken[3:]) <= {(0, 0), (1, 1)} and (workers == 2 or len(taken) == 5)
