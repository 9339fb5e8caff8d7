"""A job of Spark, which other threads can wait for and cancel."""

from __future__ import annotations

import contextlib
import os
import re
import threading
from collections.abc import Sequence
from typing import Any

from tunesmith.distribute.spark_worker import CheckedRunner
from tunesmith.errors import InputError

__all__ = ["SparkJob", "explained"]

_LOST = re.compile(
    r"Task (\d+) in stage \S+ failed (\d+) times?, most recent failure: (?:Lost task \S+ )?(.*)"
)
_CANCEL_ATTEMPTS, _CANCEL_SECONDS = 60, 0.5
_MEMORY = (
    "its worker may have run out of memory: see the executors' logs, raise spark.executor.memoryOverhead, or"
    " use fewer spark.executor.cores"
)
_LOGS = "see the executors' logs"
_TRACE = re.compile(r"Traceback \(most recent call last\):\n(.*?)(?=\n SQLSTATE|\n\tat |\n\n|\Z)", re.DOTALL)
"""Of Python, within what Java says: it ends with the error."""
_NO_PYTHON = re.compile(r"Cannot run program \"([^\"]*)\".*?: (.*)")
_JAVA = re.compile(r"^(?:: )?(?:[a-z]\w*\.)+[A-Z]\w*(?:Exception|Error): ")


class SparkJob:
    """A job of Spark, in a thread of its own, so that Ctrl-C reaches the main one."""

    def __init__(
        self, context: Any, group: str, runner: CheckedRunner, tasks: Sequence[tuple[int, bytes]]
    ) -> None:
        self.ended = threading.Event()
        self._context, self._group = context, group
        self._error: Exception | None = None
        threading.Thread(target=self._run, args=(runner, tasks), daemon=True).start()

    def _run(self, runner: CheckedRunner, tasks: Sequence[tuple[int, bytes]]) -> None:
        try:
            self._context.setJobGroup(self._group, "shards of tunesmith", interruptOnCancel=True)
            self._context.parallelize(tasks, len(tasks)).foreach(runner)
        except Exception as error:
            self._error = error
        finally:
            self.ended.set()

    def cancel(self) -> None:
        """End the tasks; their processes end within seconds.

        Again and again: a job that the thread is just submitting is not known to Spark yet, and would go on.
        """
        for _ in range(_CANCEL_ATTEMPTS):
            with contextlib.suppress(Exception):  # Spark may have ended already
                if not self.ended.is_set():
                    self._context.cancelJobGroup(self._group)
            if self.ended.wait(_CANCEL_SECONDS):
                return

    def check(self) -> None:
        """Raise an InputError if Spark gave up on an ended job."""
        if self._error is None:
            return
        if _LOST.search(str(self._error)) is None and _has_ended(self._context):
            raise InputError(
                f"Spark has ended: its master, {self._context.master}, did not answer or has removed the"
                " application; is it running, and can it reach this machine (spark.driver.host)?"
            )
        raise explained(self._error) from None


def _has_ended(context: Any) -> bool:
    """Return whether Spark has stopped by itself; errors of jobs then say something else."""
    try:
        return bool(context._jsc.sc().isStopped())
    except Exception:
        return True


def explained(error: Exception) -> InputError:
    """Return why Spark could not do something, without a Java stack trace."""
    text = str(error)
    if lost := _LOST.search(text):
        return InputError(
            f"Spark gave up on shard {int(lost[1]) + 1} after {lost[2]} attempts: {_reason(text, lost)}"
        )
    if reason := _python_reason(text):
        return InputError(f"a worker could not run a shard: {reason}")
    lines = [line.strip() for line in text.splitlines() if line.strip()] or [type(error).__name__]
    line = next((line for line in lines if _JAVA.match(line)), lines[0])
    reason = _JAVA.sub("", line)[:500].rstrip(".")
    return InputError(
        f"Spark could not run the shards: {reason}; see the logs of the master and of the driver"
        " (spark.log.level=INFO shows more)"
    )


def _reason(text: str, lost: re.Match[str]) -> str:
    """Return why a shard was lost, and what to do."""
    failure = lost[3].strip()
    if reason := _python_reason(text[lost.start(3) :]):
        return reason
    memory = "ExecutorLostFailure" in failure or re.search(r"\b137\b", failure)
    return f"{failure}; {_MEMORY if memory else _LOGS}"


def _python_reason(text: str) -> str:
    """Return why the Python of a worker did not run a shard, and what to install where; empty if it did."""
    python = os.environ.get("PYSPARK_PYTHON", "python3")
    where = f"for the Python of the workers, {python}, or name another by spark.pyspark.python"
    if missing := _NO_PYTHON.search(text):
        return (
            f"cannot run {missing[1]}: {missing[2].rstrip('.')}; install Python there, or name another by"
            " spark.pyspark.python (docs/cluster.md, Python)"
        )
    if trace := _TRACE.search(text):
        last = trace[1].strip().splitlines()[-1].strip()
        return (
            f"{last.rstrip('.')}; install the same version of tunesmith, with what it needs, {where}"
            " (docs/cluster.md, Python)"
        )
    return ""
