"""Candidate lists written incrementally into one file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import BinaryIO

from tunesmith.candidates.pool import Pool
from tunesmith.candidates.writers.base import WRITERS, Writer
from tunesmith.candidates.writers.write import writer_of
from tunesmith.errors import InputError, OptionError
from tunesmith.files import PathLike

__all__ = ["PoolStream", "chosen_writer", "streaming_writer"]

_NUMBER = re.compile("0|[1-9][0-9]{0,17}")


def chosen_writer(path: PathLike, format: str | None = None) -> type[Writer]:  # noqa: A002 - as in write
    """Return the writer of `format`, else of the file name, else Moses'."""
    return WRITERS[format] if format is not None else writer_of(path) or WRITERS["moses"]


def streaming_writer(path: PathLike, format: str | None = None) -> type[Writer]:  # noqa: A002 - as in write
    """Return the chosen writer; a format that cannot be appended to is an OptionError."""
    writer = chosen_writer(path, format)
    if not writer.appends:
        able = ", ".join(name for name, one in WRITERS.items() if one.appends)
        raise OptionError(
            f"{writer.name} cannot be written incrementally; write one of {able}, and convert it"
        )
    return writer


class PoolStream:
    """Appends pools to a stream. All must have the same dense features in the same order; sparse features
    come after them.
    """

    def __init__(self, stream: BinaryIO, writer: type[Writer]) -> None:
        self._stream = stream
        self._writer = writer
        self.head_size = 0
        """Bytes of the header that was written."""
        self._begun = False

    def write(self, pool: Pool, fields: Sequence[str] | None = None) -> None:
        """Append the lists of a pool. Ids that the format cannot represent are an InputError.

        `fields` are further fields of the lines of Moses' format, one per candidate.
        """
        if self._writer.numbered:
            for name in pool.ids:
                if not _NUMBER.fullmatch(name):
                    raise InputError(
                        f"the sentence id {name!r} is not a whole number, as candidate lists of the format"
                        f" {self._writer.name!r} need; write jsonl, or remove ids from the input"
                    )
        if not self._begun:
            head = self._writer().head(pool)
            self._stream.write(head)
            self.head_size = len(head)
            self._begun = True
        rest = None if fields is None else iter(fields)
        for chunk in self._writer().chunks(pool):
            if rest is None:
                self._stream.write(chunk)
                continue
            lines = bytes(chunk).decode("utf-8").removesuffix("\n").split("\n")
            self._stream.write("".join(f"{line} ||| {next(rest)}\n" for line in lines).encode())
