"""The longest text that is taken for a sentence.

Metrics and other parts take memory per word of a text, many times its own size, and a small compressed file
may hold one line of any length.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tunesmith.errors import InputError

__all__ = ["LONGEST_TEXT", "bounded_lines"]

LONGEST_TEXT = 1 << 22
"""In bytes."""


def bounded_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Pass on the chunks of a file; an InputError as soon as a line has more than `LONGEST_TEXT` bytes."""
    line, begun = 1, 0
    for chunk in chunks:
        first = chunk.find(b"\n")
        if begun + (len(chunk) if first < 0 else first) > LONGEST_TEXT:
            raise InputError(
                f"a line of more than {LONGEST_TEXT:,} bytes; expected a sentence per line:"
                " are line ends missing?",
                line=line,
            )
        line += chunk.count(b"\n")
        begun = begun + len(chunk) if first < 0 else len(chunk) - chunk.rfind(b"\n") - 1
        yield chunk
