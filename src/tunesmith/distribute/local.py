"""Shards in processes of this machine."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from multiprocessing.connection import wait
from typing import Any, NoReturn

from tunesmith.distribute.base import ClosedAtExit, Done, Progress, Result, Shard, ShardFunction, naming_shard
from tunesmith.distribute.process import WorkerProcess
from tunesmith.errors import OptionError
from tunesmith.options import require_at_least

__all__ = ["LocalExecutor", "map_shards"]

PATIENCE = 10.0
"""Seconds that idle workers have to close what they kept: to remove some files."""


class LocalExecutor(ClosedAtExit):
    """Workers that live as long as the executor, so that what a function caches (an open model) is reused.

    With one worker, shards run in this process. More workers are new processes, not copies of this one:
    they import the function's module, and nothing of the main program. A worker takes the next shard when
    it has finished one; which worker gets which shard cannot change results. Ctrl-C and errors end all of
    them, and so does the death of this process, however it dies.
    """

    ships = False

    def __init__(self, workers: int = 1) -> None:
        require_at_least(1, "executor", workers=workers)
        self.workers = workers
        self._processes: list[WorkerProcess] = []

    def close(self) -> None:
        """End the workers, after they have closed what they kept."""
        for process in self._processes:
            process.ask_to_end()
        deadline = time.monotonic() + PATIENCE
        self._end(lambda: deadline - time.monotonic())

    def _end(self, patience: Callable[[], float]) -> None:
        """End the workers, each after a time that it has to do so by itself; all at once after Ctrl-C."""
        while self._processes:
            process = self._processes.pop()
            try:
                process.end(patience())
            except BaseException:
                self._end(lambda: 0.0)
                raise

    def folder(self, uri: str) -> NoReturn:
        """Refuse folders of other file systems, which Spark has: see `SparkExecutor.folder`."""
        raise OptionError(
            "{} {uri!r} needs {} spark, whose file systems it uses; a local run has its checkpoint in the"
            " folder of the run",
            "checkpoint_to",
            "executor",
            uri=uri,
        )

    def map_shards(
        self,
        function: ShardFunction[Shard, Result],
        shards: Sequence[Shard],
        *,
        progress: Progress | None = None,
        done: Done | None = None,
    ) -> list[Result]:
        """Return the results in the order of the shards; see `Executor`."""
        if self.workers == 1 or len(shards) < 2:
            return [_here(function, number, shard, progress, done) for number, shard in enumerate(shards)]
        try:
            return self._distribute(function, shards, progress, done)
        except BaseException:
            self._end(lambda: 0.0)  # what they are at is of no use any more
            raise

    def _distribute(
        self,
        function: ShardFunction[Shard, Result],
        shards: Sequence[Shard],
        progress: Progress | None,
        done: Done | None,
    ) -> list[Result]:
        while len(self._processes) < min(self.workers, len(shards)):
            self._processes.append(WorkerProcess())
        waiting = deque(enumerate(shards))
        results: dict[int, Any] = {}
        busy: dict[Any, tuple[WorkerProcess, int]] = {}
        for process in self._processes:
            _next(process, function, waiting, busy)
        while busy:
            for ready in wait(list(busy)):
                process, number = busy[ready]
                kind, value, trace = process.hear(number)
                if kind == "report":
                    if progress is not None:
                        progress(number, value)
                    continue
                del busy[ready]
                if kind == "failed":
                    raise naming_shard(value, number, trace)
                results[number] = value
                _next(process, function, waiting, busy)
                if done is not None:
                    done(number, value)
        return [results[number] for number in range(len(shards))]


def map_shards(
    function: ShardFunction[Shard, Result],
    shards: Sequence[Shard],
    *,
    workers: int = 1,
    progress: Progress | None = None,
) -> list[Result]:
    """Call a function for each shard in local processes, and return the results in the order of shards.

    The function takes a shard and a `Report`. For several calls with the same workers, use a `LocalExecutor`.
    """
    with LocalExecutor(workers) as executor:
        return executor.map_shards(function, shards, progress=progress)


def _next(
    process: WorkerProcess,
    function: ShardFunction[Any, Any],
    waiting: deque[tuple[int, Any]],
    busy: dict[Any, tuple[WorkerProcess, int]],
) -> None:
    if waiting:
        number, shard = waiting.popleft()
        process.ask(function, shard, number)
        busy[process.connection] = process, number


def _here(
    function: ShardFunction[Shard, Result],
    number: int,
    shard: Shard,
    progress: Progress | None,
    done: Done | None,
) -> Result:
    def report(value: object) -> None:
        if progress is not None:
            progress(number, value)

    try:
        result = function(shard, report)
    except Exception as error:
        raise naming_shard(error, number) from error
    if done is not None:
        done(number, result)
    return result
