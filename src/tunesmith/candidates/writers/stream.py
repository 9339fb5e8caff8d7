"""Candidate lists written as they come, a few at a time, into one file."""

from __future__ import annotations

import re
from typing import BinaryIO

from tunesmith.candidates.pool import Pool
from tunesmith.candidates.writers.base import WRITERS, Writer
from tunesmith.candidates.writers.write import writer_of
from tunesmith.errors import InputError, OptionError
from tunesmith.files import PathLike

__all__ = ["PoolStream", "streaming_writer"]

_NUMBER = re.compile("0|[1-9][0-9]{0,17}")


def streaming_writer(path: PathLike, format: str | None = None) -> type[Writer]:  # noqa: A002 - as in write
    """Return the writer of a format, of a name, or else Moses'; one that cannot append is an OptionError."""
    writer = WRITERS[format] if format is not None else writer_of(path) or WRITERS["moses"]
    if not writer.appends:
        able = ", ".join(name for name, one in WRITERS.items() if one.appends)
        raise OptionError(
            f"{writer.name} cannot be written as candidates come; write one of {able}, and convert it"
        )
    return writer


class PoolStream:
    """Appends pools to a stream. All must have the same features in the same order, each in each candidate,
    but for sparse ones, which come after them.
    """

    def __init__(self, stream: BinaryIO, writer: type[Writer]) -> None:
        self._stream = stream
        self._writer = writer
        self._begun = False

    def write(self, pool: Pool) -> None:
        """Append the lists of a pool. Ids that the format cannot hold are an InputError."""
        if self._writer.numbered:
            for name in pool.ids:
                if not _NUMBER.fullmatch(name):
                    raise InputError(
                        f"the sentence id {name!r} is not a whole number, as candidate lists of the format"
                        f" {self._writer.name!r} need; write jsonl, or leave ids out of the input"
                    )
        if not self._begun:
            self._stream.write(self._writer().head(pool))
            self._begun = True
        for chunk in self._writer().chunks(pool):
            self._stream.write(chunk)
