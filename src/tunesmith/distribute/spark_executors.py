"""Whether Spark has executors: if none can start, it would wait without a word, or try again for ever."""

from __future__ import annotations

import re
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tunesmith.errors import InputError, OptionError, TunesmithWarning

__all__ = ["TIMEOUT", "ExecutorLogs", "ExecutorWatch", "executor_seconds", "watch_of"]

TIMEOUT = "spark.tunesmith.executorTimeout"
"""Setting of Spark: seconds without any executor after which a run ends; -1: it waits, and says so."""

_SECONDS = 60.0
"""Without the setting: after which a cluster in this process is given up, and others are warned of."""

_PAUSE = 1.0
_ATTEMPTS = 4
"""Executors per worker that may end before one stays: a network may be slow to come up."""

_SAYS_WHY = re.compile(r"error|exception|cannot|could not|unable|not found|denied", re.IGNORECASE)
_SHOWN = 300


def executor_seconds(text: str | None) -> float | None:
    """Return the seconds of the setting, infinity for -1; None if it is not given."""
    if text is None:
        return None
    if not re.fullmatch(r"-1|\d{1,6}", text):
        raise OptionError(f"{TIMEOUT} must be a number of seconds, or -1 to wait, not {text!r}")
    return float("inf") if text == "-1" else float(text)


@dataclass(frozen=True)
class ExecutorLogs:
    """The logs of the executors of a cluster on this machine: `FOLDER/NUMBER/stderr`."""

    folder: Path

    def started(self) -> int:
        """Return how many executors have been started so far."""
        return len(self._numbers())

    def reason(self) -> str:
        """Return the line of the newest logs that says why an executor ended; empty if none does."""
        for number in self._numbers()[:-_ATTEMPTS:-1]:
            try:
                text = (self.folder / str(number) / "stderr").read_text(encoding="utf-8", errors="replace")
            except OSError:
                continue
            lines = [line.strip() for line in text.partition("\n====")[2].splitlines()[1:] if line.strip()]
            if found := next((line for line in lines if _SAYS_WHY.search(line)), ""):
                return found[:_SHOWN]
        return ""

    def _numbers(self) -> list[int]:
        try:
            return sorted(int(place.name) for place in self.folder.iterdir() if place.name.isdecimal())
        except OSError:
            return []


@dataclass
class ExecutorWatch:
    """To be asked again and again while work waits: whether there is an executor, by `count`.

    `seconds` are those of the setting. `logs` are of a cluster of this process, where nobody else can start
    executors: without any it is given up after a while, and at once if they end one after the other. Of
    other clusters a warning says each minute that nothing runs, since they may be busy.
    """

    master: str
    count: Callable[[], int]
    seconds: float | None = None
    logs: ExecutorLogs | None = None
    workers: int = 1
    clock: Callable[[], float] = time.monotonic
    _asked: float = field(default=float("-inf"), init=False)
    _seen: float | None = field(default=None, init=False)
    _warned: float | None = field(default=None, init=False)

    def check(self) -> None:
        """Raise an InputError if no executor will come any more, as far as can be known."""
        now = self.clock()
        if now - self._asked < _PAUSE:
            return
        self._asked = now
        if self._seen is None or self.count() > 0:
            self._seen, self._warned = now, None
            return
        waited = now - self._seen
        limit = self.seconds
        if limit is None and self.logs is not None:
            limit = _SECONDS
            if self.logs.started() > _ATTEMPTS * self.workers and self.logs.reason():
                raise InputError(self._trouble(waited))
        if limit is not None and waited >= limit:
            raise InputError(f"{self._trouble(waited)}; {TIMEOUT}=SECONDS waits longer")
        if waited - (self._warned or 0.0) >= _SECONDS:
            self._warned = waited
            warnings.warn(f"{self._trouble(waited)}; still waiting", TunesmithWarning, stacklevel=2)

    def _trouble(self, waited: float) -> str:
        text = (
            f"Spark has had no executor for {waited:.0f} seconds at {self.master}, and nothing runs without"
        )
        if self.logs is None:
            return (
                f"{text}: all may be in use, or have less memory or fewer cores than spark.executor.memory"
                " and spark.executor.cores ask for, or executors end at once, or cannot reach the driver"
                " (spark.driver.host); see the logs of the master and of the workers"
            )
        if reason := self.logs.reason():
            return f"{text}: {self.logs.started()} were started and ended: {reason} ({self.logs.folder})"
        if not self.logs.started():
            return f"{text}: none was started; can files be written to {self.logs.folder.parent}?"
        return f"{text}: see {self.logs.folder}/*/stderr, or give spark.log.level=INFO"


def watch_of(context: Any, seconds: float | None) -> ExecutorWatch | None:
    """Return the watch over the executors of a SparkContext; None if the driver does their work."""
    master = str(context.master)
    if master == "local" or master.startswith("local["):
        return None

    def count() -> int:
        return len(context._jsc.sc().statusTracker().getExecutorInfos()) - 1  # one is the driver

    if not master.startswith("local-cluster["):
        return ExecutorWatch(master, count, seconds)
    from pyspark.find_spark_home import _find_spark_home

    logs = ExecutorLogs(Path(_find_spark_home(), "work", context.applicationId))
    workers = re.match(r"local-cluster\[\s*(\d+)", master)
    return ExecutorWatch(master, count, seconds, logs, int(workers[1]) if workers else 1)
