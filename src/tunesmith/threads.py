"""How many threads to use when the caller does not say."""

from __future__ import annotations

import os

from tunesmith.errors import OptionError

__all__ = ["thread_count"]


def thread_count(threads: int | None = None) -> int:
    """Return `threads`, else `TUNESMITH_THREADS`, else the cores this process may use.

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
        raise OptionError(f"threads must be at least 1, not {threads}")
    return threads
