"""Errors of Spark, as Java words them, become messages that say what to do."""

from __future__ import annotations

import pytest

from tunesmith.distribute.spark_job import explained

LOST = """An error occurred while calling z:org.apache.spark.api.python.PythonRDD.collectAndServe.
: org.apache.spark.SparkException: Job aborted due to stage failure: Task 1 in stage 4.0 failed 4 times, most\
 recent failure: Lost task 1.3 in stage 4.0 (TID 15) (10.0.0.7 executor 3): ExecutorLostFailure (executor 3 \
exited caused by one of the running tasks) Reason: Command exited with code 137
Driver stacktrace:
\tat org.apache.spark.scheduler.DAGScheduler.abortStage(DAGScheduler.scala:2856)
"""
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
        (STOPPED, "Spark could not run the shards: Cannot call methods on a stopped SparkContext; see"),
        ("", "Spark could not run the shards: RuntimeError; see"),
        ("connection refused", "Spark could not run the shards: connection refused; see the logs"),
    ],
)
def test_a_message_has_the_reason_and_no_stack_trace(text: str, expected: str) -> None:
    message = str(explained(RuntimeError(text)))
    assert message.startswith(expected)
    assert "\tat " not in message and "stacktrace" not in message
