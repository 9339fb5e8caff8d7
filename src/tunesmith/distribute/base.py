"""The interface of executors: a function over shards, wherever the processes are."""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self, TypeAlias, TypeVar

from tunesmith.errors import InputError, OptionError, TunesmithError

__all__ = [
    "ClosedAtExit",
    "Done",
    "Executor",
    "Progress",
    "Report",
    "ShardFunction",
    "dumps_absolute",
    "naming_shard",
    "pickled_task",
]

Shard = TypeVar("Shard")
Result = TypeVar("Result")

Report: TypeAlias = Callable[[Any], None]
"""Called by a shard's function with anything small that can be pickled; the driver receives it."""

Progress: TypeAlias = Callable[[int, Any], None]
"""Called on the driver with the number of a shard, from 0, and what the shard reported."""

Done: TypeAlias = Callable[[int, Any], None]
"""Called on the driver with the number of a shard, from 0, and its result, when the shard is finished."""

ShardFunction: TypeAlias = Callable[[Shard, Report], Result]
"""A function at the top level of a module, which workers import by its name."""


class Executor(Protocol):
    """Calls a function for each shard.

    Shards and results are pickled on their way, so they are paths, options and counts, never contents:
    a shard names the files that a worker opens, and a result names those that it wrote. A function must
    depend on nothing but its shard, so that results do not depend on where it runs, or beside what. It may
    run more than once, if a machine is lost: then it replaces what it wrote, by renaming whole files.
    """

    ships: bool
    """Whether the files of tasks are sent to workers, which may share no folder with the driver."""

    def map_shards(
        self,
        function: ShardFunction[Shard, Result],
        shards: Sequence[Shard],
        *,
        progress: Progress | None = None,
        done: Done | None = None,
    ) -> list[Result]:
        """Return the results in the order of the shards.

        `done` is called for each as soon as it is finished, in whatever order, when its files are there: what
        it records is not lost if other work fails later. The first exception of a shard ends all work; its
        message then has the number of the shard.
        """
        ...


class ClosedAtExit:
    """What `with` closes at its end."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the workers."""
        raise NotImplementedError


class _AbsolutePickler(pickle.Pickler):
    def reducer_override(self, value: object) -> Any:
        if isinstance(value, Path) and not value.is_absolute() and str(value) != "-":
            return type(value), (str(value.absolute()),)
        return NotImplemented


def dumps_absolute(value: object) -> bytes:
    """Pickle a value, in which each relative `Path` is replaced by the absolute one, but for `-`."""
    stream = io.BytesIO()
    _AbsolutePickler(stream, protocol=pickle.HIGHEST_PROTOCOL).dump(value)
    return stream.getvalue()


def pickled_task(
    function: Callable[..., Any],
    shard: object,
    number: int,
    dumps: Callable[[object], bytes] = dumps_absolute,
) -> bytes:
    """Return a function and a shard, from 0, for a worker; an OptionError if it could not read them.

    Relative paths become absolute: a worker may be in another folder.
    """
    if getattr(function, "__module__", None) == "__main__":
        raise OptionError(
            f"{function!r} is defined in the main program, which workers do not run; expected a function of a"
            " module, or one local worker"
        )
    try:
        return dumps((function, shard))
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise OptionError(
            f"shard {number + 1} or its function cannot be sent to a worker: {error}; expected a function at"
            " the top level of a module, and paths and options"
        ) from error


def naming_shard(error: BaseException, number: int, trace: str = "") -> BaseException:
    """Return the error of a shard with the shard's number, from 1; `trace` is shown for foreign errors."""
    what = f"shard {number + 1}"
    if isinstance(error, InputError):
        return InputError(f"{error.message} ({what})", path=error.path, line=error.line)
    if isinstance(error, TunesmithError):
        error.message = error.message + f" ({what})"
        error.args = (error.place + error.message,)
        return error
    if isinstance(error, Exception):
        detail = f"\n{trace}" if trace else ""
        return RuntimeError(f"{what} failed: {type(error).__name__}: {error}{detail}")
    return error
