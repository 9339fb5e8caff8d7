"""Shards as tasks of Apache Spark: on this machine, on a standalone cluster, YARN or Kubernetes."""

from __future__ import annotations

import contextlib
import pickle
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from tunesmith.build import Build
from tunesmith.distribute.base import (
    ClosedAtExit,
    Done,
    Progress,
    Result,
    Shard,
    ShardFunction,
    dumps_absolute,
    naming_shard,
    pickled_task,
)
from tunesmith.distribute.delivery import Returned, take_in
from tunesmith.distribute.hadoop_folder import HadoopFolder
from tunesmith.distribute.reports import ReportListener
from tunesmith.distribute.shipping import Shipper, pack_folder
from tunesmith.distribute.spark_context import open_context
from tunesmith.distribute.spark_executors import TIMEOUT, executor_seconds, watch_of
from tunesmith.distribute.spark_job import SparkJob, explained
from tunesmith.distribute.spark_worker import CheckedRunner, Event, EventList
from tunesmith.errors import InputError, OptionError, TunesmithWarning
from tunesmith.folders import temporary_folder

__all__ = ["SparkExecutor"]

REPORT_PORT = "spark.tunesmith.reportPort"
"""Setting of Spark: the driver's port for reports of workers [any that is free]; -1: none is opened."""

BUILD = "spark.tunesmith.build"
"""Setting of Spark: `same` [default] refuses workers of another build; `any`: a warning names the first."""

_POLL = 0.1
_KEPT_CALLS = 3


class SparkExecutor(ClosedAtExit):
    """One Spark task per shard. Spark starts with the executor, and ends with it.

    Paths in tasks must be the same for the driver and all workers, or with `ship` they travel: files are
    broadcast by content, folders sent once per Spark executor as archives, and outputs come back with the
    results. Workers report over a socket of the driver; where they cannot reach it, the last report of a
    shard arrives when the shard ends. Spark runs a shard again if its worker or machine is lost
    (`spark.task.maxFailures` times); an exception of the function ends all work.
    """

    def __init__(
        self, master: str = "local[*]", settings: Mapping[str, str] | None = None, *, ship: bool = False
    ) -> None:
        settings = settings or {}
        _report_port(settings.get(REPORT_PORT, "0"))
        executor_seconds(settings.get(TIMEOUT))
        _any_build(settings.get(BUILD, "same"))
        self.ships = ship
        self._build = Build.running().record()
        self.context = open_context(master, settings)
        self._any_build = _any_build(self.context.getConf().get(BUILD, "same"))
        self._has_let_through = False
        self._shipper = Shipper() if ship else None
        self._files: dict[str, tuple[Any, int]] = {}
        self._folders: dict[str, str] = {}
        self._archives = temporary_folder()
        self._call = 0
        self._heard: SimpleQueue[Event] = SimpleQueue()
        self._events = self.context.accumulator([], EventList(self._heard.put))
        self._listener: ReportListener | None = None
        try:
            self._listener = self._listening()
            self._watch = watch_of(self.context, executor_seconds(self.context.getConf().get(TIMEOUT)))
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End Spark, and with it all workers."""
        if self._listener is not None:
            self._listener.close()
        with contextlib.suppress(Exception):  # it may have ended already
            self.context.stop()
        self._archives.cleanup()

    def folder(self, uri: str) -> HadoopFolder:
        """Return a folder of a file system that Hadoop knows, such as `s3a://BUCKET/FOLDER`."""
        return HadoopFolder(self.context, uri)

    def map_shards(
        self,
        function: ShardFunction[Shard, Result],
        shards: Sequence[Shard],
        *,
        progress: Progress | None = None,
        done: Done | None = None,
    ) -> list[Result]:
        """Return the results in the order of the shards; see `Executor`."""
        if not shards:
            return []
        self._call += 1
        dumps = dumps_absolute if self._shipper is None else self._shipper.dumps
        tasks = [
            (number, pickled_task(function, shard, number, dumps)) for number, shard in enumerate(shards)
        ]
        try:
            files, folders = self._sent_files(), self._sent_folders()
        except OSError:
            raise
        except Exception as error:
            raise explained(error) from None
        job = SparkJob(self.context, f"tunesmith-{self._call}", self._runner(files, folders), tasks)
        results: dict[int, Result] = {}
        try:
            for event in self._events_of(job):
                if event.kind == "failed":
                    raise naming_shard(event.value, event.number, event.trace)
                if event.kind != "done":
                    if progress is not None:
                        progress(event.number, event.value)
                elif event.number not in results:
                    results[event.number] = self._result(event.value)
                    if done is not None:
                        done(event.number, results[event.number])
        except BaseException:
            job.cancel()
            raise
        return [results[number] for number in range(len(shards))]

    def _runner(self, files: dict[str, Any] | None, folders: dict[str, str]) -> CheckedRunner:
        """Return what calls the functions of this call's tasks on the workers."""
        address = None if self._listener is None else self._listener.address
        kept = frozenset({*self._files, *folders})
        sent = self._call, files, folders, kept, self._events, address, self._build, _this_folder()
        return CheckedRunner(*sent, any_build=self._any_build)

    def _result(self, returned: Returned) -> Any:
        """Write the outputs of a task where the driver wants them, and read its result."""
        loads: Callable[[bytes], Any] = pickle.loads if self._shipper is None else self._shipper.loads
        return loads(take_in(returned))

    def _sent_files(self) -> dict[str, Any] | None:
        """Broadcast the files that tasks name, and let go of those that the last few calls did not."""
        if self._shipper is None:
            return None
        named, self._shipper.files = self._shipper.files, {}
        for digest, path in named.items():
            known = self._files.get(digest)
            sent = self.context.broadcast(path.read_bytes()) if known is None else known[0]
            self._files[digest] = sent, self._call
        for digest, (sent, used) in list(self._files.items()):
            if used <= self._call - _KEPT_CALLS:
                sent.destroy()
                del self._files[digest]
        return {digest: self._files[digest][0] for digest in named}

    def _sent_folders(self) -> dict[str, str]:
        """Add an archive of each new folder that tasks name; Spark sends it to each executor once."""
        if self._shipper is None:
            return {}
        named, self._shipper.folders = self._shipper.folders, {}
        for digest, path in named.items():
            if digest not in self._folders:
                archive = Path(self._archives.name, f"{digest}.tar")
                pack_folder(path, archive)
                self.context.addFile(str(archive))
                self._folders[digest] = archive.name
        return dict(self._folders)

    def _listening(self) -> ReportListener | None:
        """Listen on the driver's host; None if that is impossible, or not wanted."""
        conf = self.context.getConf()
        host = conf.get("spark.driver.host", "127.0.0.1")
        port = _report_port(conf.get(REPORT_PORT, "0"))
        if port < 0:
            return None
        try:
            return ReportListener(host, conf.get("spark.driver.bindAddress", host), port, self._heard.put)
        except OSError as error:
            if port:
                raise InputError(f"cannot listen on port {port} of {host} ({REPORT_PORT}): {error}") from None
            return None

    def _events_of(self, job: SparkJob) -> Iterator[Event]:
        """Yield the events of the newest job until it ends; if Spark gives up, raise why."""
        while True:
            ended = job.ended.is_set()  # all events of a job are heard before its end
            with contextlib.suppress(Empty):
                while True:
                    event = self._heard.get(timeout=0 if ended else _POLL)
                    if event.kind == "build":
                        self._let_through(event.value)
                    elif event.call == self._call:
                        yield event
            if ended:
                job.check()
                return
            if self._watch is not None:
                self._watch.check()

    def _let_through(self, why: str) -> None:
        """Warn once that workers have another build."""
        if not self._has_let_through:
            self._has_let_through = True
            text = f"workers of another build are let through ({BUILD}=any): {why}"
            warnings.warn(text, TunesmithWarning, stacklevel=2)


def _any_build(text: str) -> bool:
    """Return whether a worker may have any build."""
    if text not in ("same", "any"):
        raise OptionError(f"{BUILD} must be same or any, not {text!r}")
    return text == "any"


def _this_folder() -> str:
    """Return the current folder; empty if it has been removed."""
    try:
        return str(Path.cwd())
    except FileNotFoundError:
        return ""


def _report_port(text: str) -> int:
    """Return the port for reports; 0: any, less: none."""
    if not text.removeprefix("-").isdecimal() or int(text) > 65535:
        raise OptionError(f"{REPORT_PORT} must be the number of a port, or -1 for none, not {text!r}")
    return int(text)
