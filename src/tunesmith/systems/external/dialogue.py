"""A dialogue with a child process: lines to its standard input, lines from its standard output."""

from __future__ import annotations

import contextlib
import os
import selectors
import subprocess
from collections import deque

from tunesmith.errors import InputError
from tunesmith.folders import temporary_file
from tunesmith.systems.external.processes import (
    end_process,
    how_it_ended,
    last_lines,
    start_process,
    without_sigpipe,
)

__all__ = ["Dialogue"]

PIECE = 1 << 16
PATIENCE_SECONDS = 5.0
"""Time for a process to end by itself when its input ends."""


class Dialogue:
    """A running command. Its output is read while its input is written, so that there is no deadlock.

    Its standard error is saved; errors include the end of it.
    """

    def __init__(self, command: str) -> None:
        self._log = temporary_file()  # open as long as the process
        pipe = subprocess.PIPE
        self._process = start_process(command, stdin=pipe, stdout=pipe, stderr=self._log)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout
        os.set_blocking(self._input.fileno(), False)
        self._lines: deque[bytes] = deque()
        self._rest: list[bytes] = []
        self._has_ended = False

    def say(self, line: str) -> None:
        """Write a line."""
        data = memoryview(line.encode("utf-8") + b"\n")
        with selectors.DefaultSelector() as selector, without_sigpipe():
            selector.register(self._input, selectors.EVENT_WRITE)
            if not self._has_ended:
                selector.register(self._output, selectors.EVENT_READ)
            while data:
                for key, _ in selector.select():
                    if key.fileobj is self._output:
                        self._receive()
                        if self._has_ended:
                            selector.unregister(self._output)
                        continue
                    try:
                        data = data[os.write(self._input.fileno(), data[:PIECE]) :]
                    except BlockingIOError:
                        continue
                    except BrokenPipeError:
                        raise self.error("does not read its input") from None

    def hear(self) -> str:
        """Return the next line, without its end; wait for it if necessary."""
        while not self._lines:
            if self._has_ended:
                raise self.error("stopped writing before its answer was complete")
            self._receive()
        line = self._lines.popleft()
        try:
            return line.removesuffix(b"\r").decode("utf-8")
        except UnicodeDecodeError as error:
            raise InputError(
                f"the decoder wrote text that is not UTF-8: byte 0x{line[error.start]:02x} in {line[:60]!r}"
            ) from None

    @property
    def has_more(self) -> bool:
        """Whether unread output has arrived."""
        return bool(self._lines or self._rest)

    @property
    def said(self) -> str:
        """The end of its standard error, ready to be appended to an error message."""
        return last_lines(self._log)

    def error(self, what: str) -> InputError:
        """Return the error of a process that has ended, or is about to: its exit code and log."""
        try:
            code: int | None = self._process.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            code = None
        end = "" if code is None else f": it {how_it_ended(code)}"
        return InputError(f"the decoder {what}{end}{self.said}")

    def close(self) -> None:
        """Close the input and wait for the process; if it does not end, end it and its children."""
        with contextlib.suppress(OSError):
            self._input.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(PATIENCE_SECONDS)
        self.kill()

    def kill(self) -> None:
        """End the process and its children at once."""
        if self._process.poll() is None:
            end_process(self._process)
        with contextlib.suppress(OSError):
            self._input.close()
        self._output.close()
        self._log.close()

    def _receive(self) -> None:
        piece = os.read(self._output.fileno(), PIECE)
        if not piece:
            self._has_ended = True
            return
        *whole, rest = piece.split(b"\n")
        if whole:
            self._lines.append(b"".join([*self._rest, whole[0]]))
            self._lines.extend(whole[1:])
            self._rest = []
        if rest:
            self._rest.append(rest)
