"""Progress of consensus decoding of lists: a line every few seconds."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeAlias

__all__ = ["Counted", "Say"]

Say: TypeAlias = Callable[[str], None]
"""Takes lines of progress."""

PAUSE = 5.0
"""Seconds between two lines."""


class Counted:
    """How many of `total` things are done, counted on several threads and said every few seconds."""

    def __init__(self, total: int, what: str, say: Say | None) -> None:
        self._total, self._what, self._say = total, what, say
        self._done = 0
        self._said = time.monotonic()
        self._lock = threading.Lock()

    def add(self, count: int) -> None:
        """Count things as done."""
        with self._lock:
            self._done += count
            if self._say is not None and time.monotonic() - self._said >= PAUSE:
                self._said = time.monotonic()
                self._say(f"{self._done:,} of {self._total:,} {self._what}")
