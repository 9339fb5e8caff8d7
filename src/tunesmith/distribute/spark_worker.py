"""What a Python worker of Spark does with a shard; workers import it by its name."""

from __future__ import annotations

import contextlib
import os
import pickle
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from tunesmith.build import Build, require_same, this_host
from tunesmith.distribute.delivery import Cache, Delivery, Returned
from tunesmith.distribute.reports import Address, ReportSender
from tunesmith.errors import InputError
from tunesmith.folders import temporary_place

__all__ = ["CheckedRunner", "Event", "EventList"]


class Event(NamedTuple):
    """What the driver hears of a shard, from 0, of its call number `call` while others go on.

    `kind` is report (the value), undelivered (the last of the reports that could not be sent while the shard
    ran), build (why the worker has another build, which is let through), done (what the task returned) or
    failed (an error and its traceback).
    """

    call: int
    number: int
    kind: str
    value: Any
    trace: str = ""


class EventList:
    """How an accumulator of Spark adds up lists of events: the names are Spark's.

    On the driver events do not add up, but go to `hear` as soon as the task that sends them has ended. Spark
    counts a task once, however often it ran.
    """

    def __init__(self, hear: Callable[[Event], None] | None = None) -> None:
        self._hear = hear

    def __reduce__(self) -> tuple[object, ...]:
        return (EventList, ())  # workers collect

    def zero(self, value: list[Event]) -> list[Event]:
        """Return what a worker begins with."""
        return []

    def addInPlace(self, events: list[Event], more: list[Event]) -> list[Event]:  # noqa: N802
        """Return both, or on the driver nothing."""
        if self._hear is None:
            return events + more
        for event in more:
            self._hear(event)
        return []


@dataclass(frozen=True)
class CheckedRunner:
    """Calls the function of a pickled task; Spark pickles the runner once per call of `map_shards`.

    `files` are broadcast contents by digest, `folders` names of added archives by digest; None: paths are the
    same everywhere. Of all contents that were sent, the digests `kept` may be asked for again. `events` is an
    accumulator, which the driver sees when a shard ends, and `address` the way for reports before that.
    `build` is the record of the driver's: another one does nothing, or with `any_build` says it. `folder` is
    where the driver runs, for commands with relative paths. An error is an event, not an exception: Spark
    would try again.
    """

    call: int
    files: Mapping[str, Any] | None
    folders: Mapping[str, str]
    kept: frozenset[str]
    events: Any
    address: Address | None
    build: Mapping[str, str]
    folder: str = ""
    any_build: bool = False

    def __call__(self, numbered: tuple[int, bytes]) -> None:
        """Run a task; what it returns is an event, which reaches the driver before other tasks end."""
        number, task = numbered
        unsent: list[Any] = []
        sender = ReportSender.to(self.address)

        def report(value: object) -> None:
            if not sender.send(Event(self.call, number, "report", value)):
                unsent[:] = [value]

        try:
            self._compare(number)
            with self._delivery() as delivery, self._in_folder():
                function, shard = pickle.loads(task) if delivery is None else delivery.loads(task)
                result = function(shard, report)
                made = Returned(pickle.dumps(result), []) if delivery is None else delivery.returned(result)
            self.events.add([Event(self.call, number, "done", made)])
        except Exception as error:
            found = _pickled(error if self.files is not None else _seen_here(error))
            self.events.add([Event(self.call, number, "failed", found, traceback.format_exc())])
        finally:
            if unsent:
                self.events.add([Event(self.call, number, "undelivered", unsent[0])])

    def _compare(self, number: int) -> None:
        """Refuse to work if this is not the Tunesmith of the driver: a machine may join at any time."""
        try:
            require_same(
                self.build,
                Build.running(),
                f"a worker on {this_host()} ({sys.executable})",
                "the driver",
                "install the same build there, or send an environment (docs/cluster.md, Python)",
            )
        except InputError as error:
            if not self.any_build:
                raise
            self.events.add([Event(self.call, number, "build", str(error))])

    def _in_folder(self) -> contextlib.AbstractContextManager[None]:
        """Work where the driver does, if this machine has the folder and sees the driver's files."""
        if self.files is None and self.folder and Path(self.folder).is_dir():
            return contextlib.chdir(self.folder)
        return contextlib.nullcontext()

    def _delivery(self) -> contextlib.AbstractContextManager[Delivery | None]:
        if self.files is None:
            return contextlib.nullcontext()
        cache = Cache(_local_folder(), self._content, self._archive)
        cache.keep(self.kept)
        return Delivery(cache)

    def _content(self, digest: str) -> bytes:
        assert self.files is not None
        content: bytes = self.files[digest].value
        vars(self.files[digest]).pop("_value", None)  # it is on disk from now on
        return content

    def _archive(self, digest: str) -> Path:
        from pyspark import SparkFiles

        return Path(SparkFiles.get(self.folders[digest]))


def _local_folder() -> Path:
    """Return the cache of this executor, in a folder that Spark removes at its end."""
    folders = os.environ.get("SPARK_LOCAL_DIRS", "").split(",")
    return Path(folders[0] or temporary_place()) / "tunesmith"


def _seen_here(error: Exception) -> Exception:
    """Return an error of a path that this machine does not have with what to do, others as they are."""
    if not isinstance(error, InputError) or error.path is None or Path(str(error.path)).exists():
        return error
    return InputError(
        "{reason} on the worker {host}; without {} all machines must see the same folders under the same"
        " paths",
        "ship",
        path=error.path,
        line=error.line,
        reason=str(error.message),
        host=this_host(),
    )


def _pickled(error: Exception) -> Exception:
    """Return the error, or its text if it cannot be pickled."""
    try:
        pickle.loads(pickle.dumps(error))  # errors with required arguments fail when they are read
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
