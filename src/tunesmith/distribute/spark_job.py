"""A job of Spark, which other threads can wait for and cancel."""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Sequence
from typing import Any

from tunesmith.distribute.spark_worker import ShardRunner
from tunesmith.errors import InputError

__all__ = ["SparkJob", "explained"]

_LOST = re.compile(
    r"Task (\d+) in stage \S+ failed (\d+) times?, most recent failure: (?:Lost task \S+ )?(.*)"
)
_MEMORY = (
    "its worker may have run out of memory: see the executors' logs, raise spark.executor.memoryOverhead, or"
    " use fewer spark.executor.cores"
)
_LOGS = "see the executors' logs"
_PYTHON = "install the same version of tunesmith on the workers (docs/cluster.md, Python)"
_JAVA = re.compile(r"^(?:: )?(?:[a-z]\w*\.)+[A-Z]\w*(?:Exception|Error): ")


class SparkJob:
    """A job of Spark, in a thread of its own, so that Ctrl-C reaches the main one."""

    def __init__(
        self, context: Any, group: str, runner: ShardRunner, tasks: Sequence[tuple[int, bytes]]
    ) -> None:
        self.ended = threading.Event()
        self._context, self._group = context, group
        self._error: Exception | None = None
        threading.Thread(target=self._run, args=(runner, tasks), daemon=True).start()

    def _run(self, runner: ShardRunner, tasks: Sequence[tuple[int, bytes]]) -> None:
        try:
            self._context.setJobGroup(self._group, "shards of tunesmith", interruptOnCancel=True)
            self._context.parallelize(tasks, len(tasks)).foreach(runner)
        except Exception as error:
            self._error = error
        finally:
            self.ended.set()

    def cancel(self) -> None:
        """End the tasks; their processes end within seconds."""
        if not self.ended.is_set():
            with contextlib.suppress(Exception):  # Spark may have ended already
                self._context.cancelJobGroup(self._group)
            self.ended.wait(30)

    def check(self) -> None:
        """Raise an InputError if Spark gave up on an ended job."""
        if self._error is not None:
            raise explained(self._error) from None


def explained(error: Exception) -> InputError:
    """Return why Spark could not do something, without a Java stack trace."""
    text = str(error)
    if lost := _LOST.search(text):
        return InputError(
            f"Spark gave up on shard {int(lost[1]) + 1} after {lost[2]} attempts: {_reason(text, lost)}"
        )
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
    if "PythonException" in failure:
        trace = text[lost.start(3) :].partition("\n\tat ")[0]
        last = [line.strip() for line in trace.splitlines() if line.strip()][-1]
        return f"{last.rstrip('.')}; {_PYTHON}"
    memory = "ExecutorLostFailure" in failure or re.search(r"\b137\b", failure)
    return f"{failure}; {_MEMORY if memory else _LOGS}"
