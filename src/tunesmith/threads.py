"""The default number of threads, and the limit on BLAS threads."""

from __future__ import annotations

import os
import threading
from contextlib import AbstractContextManager
from typing import Any

from tunesmith.errors import OptionError

__all__ = ["one_blas_thread", "thread_count"]


def thread_count(threads: int | None = None) -> int:
    """Return `threads`, else `TUNESMITH_THREADS`, else the number of cores this process may use.

    Results never depend on this number.
    """
    if threads is None:
        value = os.environ.get("TUNESMITH_THREADS", "")
        if not value:
            return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        if not value.isdigit():
            raise OptionError(f"TUNESMITH_THREADS must be a whole number, not {value!r}")
        threads = int(value)
    if threads < 1:
        raise OptionError("{} must be at least 1, not {threads}", "threads", threads=threads)
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
