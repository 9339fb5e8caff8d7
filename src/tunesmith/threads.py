"""The default number of threads, and the limit on BLAS threads."""

from __future__ import annotations

import os
import threading
from contextlib import AbstractContextManager
from typing import Any

from tunesmith.errors import OptionError

__all__ = ["MOST_THREADS", "one_blas_thread", "thread_count"]

MOST_THREADS = 1024
"""More are refused: each takes memory, and the system may not be able to start them."""

_LONGEST = 20
"""Number of digits that messages show."""


def thread_count(threads: int | None = None) -> int:
    """Return `threads`, else `TUNESMITH_THREADS`, else the number of cores this process may use.

    Results never depend on this number, which is at least 1 and at most `MOST_THREADS`.
    """
    if threads is None:
        value = os.environ.get("TUNESMITH_THREADS", "")
        if not value:
            return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        if not (value.isascii() and value.isdecimal() and len(value) <= _LONGEST):
            raise OptionError(
                f"TUNESMITH_THREADS must be a whole number, at most {MOST_THREADS}, not {value[:_LONGEST]!r}"
            )
        threads = int(value)
    if threads < 1:
        raise OptionError("{} must be at least 1, not {threads}", "threads", threads=threads)
    if threads > MOST_THREADS:
        found = threads if threads < 10**_LONGEST else "a number of many digits"
        raise OptionError(
            "{} must be at most {most}, not {threads}; this machine has {cores} cores, and more threads are"
            " not faster",
            "threads",
            most=MOST_THREADS,
            threads=found,
            cores=os.cpu_count() or 1,
        )
    return threads


class _BlasGuard:
    """Counts active blocks; the first sets the limit, the last lifts it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.blocks = 0
        self.limits: Any = None

    def __enter__(self) -> None:
        from threadpoolctl import threadpool_limits

        with self.lock:
            self.blocks += 1
            if self.blocks == 1:
                self.limits = threadpool_limits(limits=1, user_api="blas")

    def __exit__(self, *failure: object) -> None:
        with self.lock:
            self.blocks -= 1
            if self.blocks == 0:
                self.limits.restore_original_limits()


_GUARD = _BlasGuard()


def one_blas_thread() -> AbstractContextManager[None]:
    """Limit BLAS to one thread within a block; blocks of several threads may overlap.

    BLAS threads busy-wait on cores that native loops need, and BLAS splits sums by the number of cores, on
    which no result may depend.
    """
    return _GUARD
