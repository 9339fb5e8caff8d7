"""Errors of Spark, as Java words them, become messages that say what to do."""

from __future__ import annotations

import pytest

from tunesmith.distribute.spark_job import SparkJob, explained
from tunesmith.errors import InputError

LOST = """An error occurred while calling z:org.apache.spark.api.python.PythonRDD.collectAndServe.
: org.apache.spark.SparkException: Job aborted due to stage failure: Task 1 in stage 4.0 failed 4 times, most\
 recent failure: Lost task 1.3 in stage 4.0 (TID 15) (10.0.0.7 executor 3): ExecutorLostFailure (executor 3 \
exited caused by one of the running tasks) Reason: Command exited with code 137
Driver stacktrace:
\tat org.apache.spark.scheduler.DAGScheduler.abortStage(DAGScheduler.scala:2856)
"""
PYTHON = """An error occurred while calling z:org.apache.spark.api.python.PythonRDD.collectAndServe.
: org.apache.spark.SparkException: Job aborted due to stage failure: Task 0 in stage 0.0 failed 4 times, most\
 recent failure: Lost task 0.3 in stage 0.0 (TID 3) (10.0.0.7 executor 1): org.apache.spark.api.python.\
PythonException: Traceback (most recent call last):
  File "/opt/spark/python/lib/pyspark.zip/pyspark/serializers.py", line 472, in loads
    return cloudpickle.loads(obj, encoding=encoding)
ModuleNotFoundError: No module named 'tunesmith'

\tat org.apache.spark.api.python.BasePythonRunner$ReaderIterator.handlePythonException(PythonRunner.scala:581)
\tat org.apache.spark.api.python.PythonRunner$$anon$3.read(PythonRunner.scala:940)
Driver stacktrace:
\tat org.apache.spark.scheduler.DAGScheduler.abortStage(DAGScheduler.scala:2856)
"""
PYTHON_4_3 = """An error occurred while calling z:org.apache.spark.api.python.PythonRDD.collectAndServe.
: org.apache.spark.api.python.PythonException: [PYTHON_EXCEPTION] An exception was thrown from the\
 Python worker: Traceback (most recent call last):
  File "/opt/pyspark.zip/pyspark/serializers.py", line 483, in loads
    return cloudpickle.loads(obj, encoding=encoding)
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
ModuleNotFoundError: No module named 'tunesmith'
 SQLSTATE: 38000
\tat org.apache.spark.api.python.BasePythonRunner$ReaderIterator.handle(PythonRunner.scala:1097)
\tat java.base/java.lang.Thread.run(Thread.java:840)
"""
NO_PYTHON = """An error occurred while calling z:org.apache.spark.api.python.PythonRDD.collectAndServe.
: org.apache.spark.SparkException: Job aborted due to stage failure: Task 0 in stage 0.0 failed 4 times, most\
 recent failure: Lost task 0.3 in stage 0.0 (TID 3) (10.0.0.7 executor 1): java.io.IOException: Cannot run\
 program "/nowhere/python": error=2, No such file or directory
\tat java.base/java.lang.ProcessBuilder.start(ProcessBuilder.java:1143)
"""
INSTALL = (
    "install the same version of tunesmith, with what it needs, for the Python of the workers, /opt/python,"
    " or name another by spark.pyspark.python (docs/cluster.md, Python)"
)
OTHER = LOST.replace("ExecutorLostFailure", "java.io.IOException").replace("137", "1")
STOPPED = """An error occurred while calling o25.parallelize.
: java.lang.IllegalStateException: Cannot call methods on a stopped SparkContext.
This stopped SparkContext was created at:
\tat py4j.ClientServerConnection.run(ClientServerConnection.java:108)
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            LOST,
            "Spark gave up on shard 2 after 4 attempts: in stage 4.0 (TID 15) (10.0.0.7 executor 3): Exec",
        ),
        (
            PYTHON,
            "Spark gave up on shard 1 after 4 attempts: ModuleNotFoundError: No module named 'tunesmith'; "
            + INSTALL,
        ),
        (
            PYTHON_4_3,
            f"a worker could not run a shard: ModuleNotFoundError: No module named 'tunesmith'; {INSTALL}",
        ),
        (
            NO_PYTHON,
            "Spark gave up on shard 1 after 4 attempts: cannot run /nowhere/python: error=2, No such file or"
            " directory; install Python there, or name another by spark.pyspark.python",
        ),
        (STOPPED, "Spark could not run the shards: Cannot call methods on a stopped SparkContext; see"),
        ("", "Spark could not run the shards: RuntimeError; see"),
        ("connection refused", "Spark could not run the shards: connection refused; see the logs"),
    ],
)
def test_a_message_has_the_reason_and_no_stack_trace(
    text: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYSPARK_PYTHON", "/opt/python")
    message = str(explained(RuntimeError(text)))
    assert message.startswith(expected)
    assert "\tat " not in message and "stacktrace" not in message


class Context:
    """What stands for a SparkContext whose jobs fail at once, and whether it has stopped."""

    master = "spark://host:7077"

    def __init__(self, stopped: bool | None) -> None:
        self._jsc = self
        self.stopped = stopped

    def sc(self) -> Context:
        return self

    def isStopped(self) -> bool:  # noqa: N802 - Spark's name
        if self.stopped is None:
            raise RuntimeError("the connection is closed")
        return self.stopped

    def setJobGroup(self, *names: str, **options: bool) -> None:  # noqa: N802 - Spark's name
        raise RuntimeError("Task not serializable")


def test_the_end_of_spark_itself_is_what_a_job_fails_of() -> None:
    for stopped, expected in (
        (True, "^Spark has ended: its master, spark://host:7077, did not answer or has removed"),
        (None, "^Spark has ended: "),
        (False, "^Spark could not run the shards: Task not serializable; "),
    ):
        job = SparkJob(Context(stopped), "group", None, [])  # type: ignore[arg-type]
        assert job.ended.wait(10)
        with pytest.raises(InputError, match=expected):
            job.check()


def test_memory_is_named_only_where_it_may_be_the_reason() -> None:
    assert "spark.executor.memoryOverhead" in str(explained(RuntimeError(LOST)))
    for text in (PYTHON, OTHER):
        assert "memory" not in str(explained(RuntimeError(text)))
    assert str(explained(RuntimeError(OTHER))).endswith("; see the executors' logs")
