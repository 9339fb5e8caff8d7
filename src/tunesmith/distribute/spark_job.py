"""A job of Spark, which other threads can wait for and cancel."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from typing import Any

from tunesmith.distribute.spark_worker import ShardRunner
from tunesmith.errors import InputError

__all__ = ["SparkJob"]

_LOST = re.compile(
    r"Task (\d+) in stage \S+ failed (\d+) times?, most recent failure: (?:Lost task \S+ )?(.*)"
)


class SparkJob:
    """A job of Spark, in a thread of its own, so that Ctrl-C reaches the main one."""

    def __init__(
        self, context: Any, group: str, runner: ShardRunner, tasks: Sequence[tuple[int, bytes]]
    ) -> None:
        self.ended = threading.Event()
        self._context, self._group = context, group
        self._results: list[Any] = []
        self._error: Exception | None = None
        self._shards = context.parallelize(tasks, len(tasks)).map(runner)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._context.setJobGroup(self._group, "shards of tunesmith", interruptOnCancel=True)
            self._results = self._shards.collect()
        except Exception as error:
            self._error = error
        finally:
            self.ended.set()

    def cancel(self) -> None:
        """End the tasks; their processes end within seconds."""
        if not self.ended.is_set():
            self._context.cancelJobGroup(self._group)
            self.ended.wait(30)

    def results(self) -> list[Any]:
        """Return the results of an ended job; why Spark gave up is an InputError."""
        if self._error is None:
            return self._results
        text = str(self._error)
        if (lost := _LOST.search(text)) is None:
            lines = [line for line in text.splitlines() if line.strip() and not line.startswith("\tat ")]
            raise InputError(f"Spark could not run the shards: {' '.join(lines)[:500]}") from None
        raise InputError(
            f"Spark gave up on shard {int(lost[1]) + 1} after {lost[2]} attempts: {lost[3].strip()}; its"
            " worker may have run out of memory: see the executors' logs, raise"
            " spark.executor.memoryOverhead, or use fewer spark.executor.cores"
        ) from None
