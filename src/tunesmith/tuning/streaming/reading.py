"""Lines of standard input."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tunesmith.errors import InputError

__all__ = ["STANDARD_INPUT", "decoded_lines"]

STANDARD_INPUT = "standard input"
"""How errors name it."""


def decoded_lines(lines: Iterable[bytes]) -> Iterator[str]:
    """Yield lines of UTF-8 with their line ends; only LF ends a line. Others are an InputError."""
    for number, line in enumerate(lines, 1):
        try:
            yield line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise InputError(
                f"not UTF-8: byte 0x{line[error.start]:02x} at column {error.start + 1}",
                path=STANDARD_INPUT,
                line=number,
            ) from None
