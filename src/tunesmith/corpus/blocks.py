"""Parallel files read in blocks of lines: corpora of any size in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import BinaryIO

import numpy as np

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.files import PathLike, open_write, read_chunks
from tunesmith.texts import Texts
from tunesmith.types import BoolArray

__all__ = ["BLOCK_LINES", "parallel_blocks", "read_blocks", "write_block", "write_kept"]

BLOCK_LINES = 20_000


def read_blocks(path: PathLike, lines: int = BLOCK_LINES) -> Iterator[Texts]:
    """Yield the lines of a UTF-8 file in blocks of the given size; the last block may be shorter.

    LF and CRLF end a line. A line that is not UTF-8 is an InputError with its number, and so is a file
    without lines.
    """
    collector = _native.LineCollector()
    try:
        for chunk in read_chunks(path):
            collector.feed(chunk)
            while len(collector) >= lines:
                yield Texts(*collector.take(lines))
        collector.finish()
    except InputError as error:
        if error.path is not None:
            raise
        raise InputError(error.message, path=path, line=error.line) from None
    while len(collector):
        yield Texts(*collector.take(lines))


def parallel_blocks(paths: Sequence[PathLike], lines: int = BLOCK_LINES) -> Iterator[tuple[Texts, ...]]:
    """Yield blocks of the same lines of each file; a file that ends before others is an InputError."""
    streams = [read_blocks(path, lines) for path in paths]
    seen = 0
    while True:
        blocks = [next(stream, None) for stream in streams]
        sizes = [0 if block is None else len(block) for block in blocks]
        if min(sizes) != max(sizes):
            shorter, longer = paths[sizes.index(min(sizes))], paths[sizes.index(max(sizes))]
            shared = seen + min(sizes)
            raise InputError(
                f"this line has no partner: {shorter} ends after {shared} lines;"
                " expected the same number of lines in each file",
                path=longer,
                line=shared + 1,
            )
        whole = tuple(block for block in blocks if block is not None)
        if not whole:
            return
        seen += sizes[0]
        yield whole


def write_block(stream: BinaryIO, texts: Texts) -> None:
    """Write texts, one per line."""
    stream.write(_native.join_lines(texts.blob, texts.offsets))


def write_kept(path: PathLike, output: PathLike, kept: BoolArray) -> None:
    """Write the lines of a file that a mask keeps; another number of lines is an InputError."""
    begin = 0
    with open_write(output) as stream:
        for block in read_blocks(path):
            rows = np.flatnonzero(kept[begin : begin + len(block)])
            write_block(stream, block.take(rows))
            begin += len(block)
        if begin != len(kept):
            raise InputError(f"has {begin} lines; expected {len(kept)}", path=path)
