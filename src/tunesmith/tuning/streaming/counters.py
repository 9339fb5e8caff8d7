"""Counters and status on standard error, in the form that Hadoop streaming reads."""

from __future__ import annotations

import time
from typing import TextIO

__all__ = ["Counters"]

GROUP = "tunesmith"


class Counters:
    """Writes `reporter:counter:GROUP,NAME,AMOUNT` and `reporter:status:TEXT`; without a stream, nothing."""

    def __init__(self, stream: TextIO | None, seconds: float = 1.0) -> None:
        """Write the status at most once per this number of seconds."""
        self._stream = stream
        self._seconds = seconds
        self._last = -seconds

    def add(self, **amounts: int) -> None:
        """Add to counters."""
        for name, amount in amounts.items():
            self._write(f"reporter:counter:{GROUP},{name},{amount}")

    def status(self, text: str) -> None:
        """Report what is being done, which also shows Hadoop that the task is alive."""
        now = time.monotonic()
        if now - self._last >= self._seconds:
            self._last = now
            self._write(f"reporter:status:{text}")

    def warn(self, text: str) -> None:
        """Write a line to the task's log."""
        self._write(f"warning: {text}")

    def _write(self, line: str) -> None:
        if self._stream is not None:
            self._stream.write(f"{line}\n")
            self._stream.flush()
