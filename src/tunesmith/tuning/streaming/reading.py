"""Lines of standard input."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tunesmith.errors import InputError

__all__ = ["LARGEST_KEY", "STANDARD_INPUT", "decoded_lines", "whole_number"]

STANDARD_INPUT = "standard input"
"""How errors name it."""

LARGEST_KEY = 99_999_999
"""The largest number of a shard or a piece that is read."""


def whole_number(text: str) -> int | None:
    """Return the number that a key is, from 0; None if it is something else, or has too many digits."""
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(LARGEST_KEY))):
        return None
    return int(text)


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
