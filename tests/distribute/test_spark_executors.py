"""Without an executor Spark would wait without a word: who waits is told why, and a hopeless wait ends."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from tunesmith.distribute.spark_executors import ExecutorLogs, ExecutorWatch
from tunesmith.errors import InputError, TunesmithWarning

LOG = """Spark Executor Command: "java" "-cp" "x"
========================================

WARNING: something else
Error opening zip file or JAR manifest missing : /nowhere.jar
agent library failed to init: instrument
"""


class Cluster:
    """A clock, and executors that come and go."""

    def __init__(self, master: str = "spark://host:7077") -> None:
        self.now, self.executors = 0.0, 0
        self.watch = ExecutorWatch(master, lambda: self.executors, clock=lambda: self.now)

    def wait(self, seconds: int) -> list[str]:
        """Ask twice per second; return warnings."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for _ in range(2 * seconds):
                self.now += 0.5
                self.watch.check()
        assert all(issubclass(each.category, TunesmithWarning) for each in caught)
        return [str(each.message) for each in caught]


def local_cluster(folder: Path, executors: int, log: str = LOG) -> Cluster:
    """A cluster on this machine that has started some executors."""
    for number in range(executors):
        (folder / "app-1" / str(number)).mkdir(parents=True)
        (folder / "app-1" / str(number) / "stderr").write_text(log)
    made = Cluster("local-cluster[1,1,1024]")
    made.watch.logs = ExecutorLogs(folder / "app-1")
    return made


def test_a_warning_each_minute_says_that_nothing_runs_on_a_cluster_that_may_be_busy() -> None:
    cluster = Cluster()
    assert cluster.wait(59) == []
    found = cluster.wait(122)
    assert len(found) == 3
    assert found[0].startswith("Spark has had no executor for 60 seconds at spark://host:7077, and nothing")
    assert "spark.executor.memory" in found[0] and found[0].endswith("; still waiting")
    cluster.executors = 2
    assert cluster.wait(500) == []
    cluster.executors = 0  # all are lost
    assert cluster.wait(59) == [] and len(cluster.wait(3)) == 1


def test_a_given_time_ends_the_wait() -> None:
    cluster = Cluster()
    cluster.watch.seconds = 20.0
    cluster.wait(20)
    with pytest.raises(
        InputError, match=r"no executor for 20 seconds .*executorTimeout=SECONDS waits longer"
    ):
        cluster.wait(2)


def test_a_cluster_of_this_process_whose_executors_end_is_given_up_at_once(tmp_path: Path) -> None:
    cluster = local_cluster(tmp_path, 5)
    cluster.executors = 1
    cluster.wait(100)
    cluster.executors = 0
    with pytest.raises(InputError) as caught:
        cluster.wait(3)
    assert "5 were started and ended: Error opening zip file or JAR manifest missing : /nowhere.jar" in str(
        caught.value
    )


@pytest.mark.parametrize(
    ("executors", "log", "expected"),
    [
        (1, LOG, "1 were started and ended: Error opening zip file"),
        (1, "Spark Executor Command: cannot\n====\n\n", "see .*stderr, or give spark.log.level=INFO"),
        (0, "", "none was started; can files be written to "),
    ],
)
def test_one_that_starts_no_executor_is_given_up_after_a_minute(
    executors: int, log: str, expected: str, tmp_path: Path
) -> None:
    cluster = local_cluster(tmp_path, executors, log)
    assert cluster.wait(59) == []
    with pytest.raises(InputError, match=expected):
        cluster.wait(3)
    patient = local_cluster(tmp_path / "again", executors, log)
    patient.watch.seconds = float("inf")
    assert len(patient.wait(200)) == 3
