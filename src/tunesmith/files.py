"""Files: compressed by suffix, written under a temporary name and renamed."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import lzma
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, TypeAlias, cast

from tunesmith.errors import InputError

__all__ = ["PathLike", "open_read", "open_write", "read_chunks", "read_lines"]

PathLike: TypeAlias = str | os.PathLike[str]

CHUNK_BYTES = 1 << 20


def _zstd_read(path: Path) -> BinaryIO:
    import zstandard

    return cast(BinaryIO, zstandard.open(path, "rb"))


def _zstd_write(path: Path) -> BinaryIO:
    import zstandard

    return cast(BinaryIO, zstandard.open(path, "wb"))


_READERS: dict[str, Callable[[Path], BinaryIO]] = {
    ".gz": lambda path: cast(BinaryIO, gzip.open(path, "rb")),
    ".bz2": lambda path: cast(BinaryIO, bz2.open(path, "rb")),
    ".xz": lambda path: cast(BinaryIO, lzma.open(path, "rb")),
    ".zst": _zstd_read,
}
_WRITERS: dict[str, Callable[[Path], BinaryIO]] = {
    # No clock in any result: the same content gives the same bytes.
    ".gz": lambda path: cast(BinaryIO, gzip.GzipFile(path, "wb", compresslevel=6, mtime=0)),
    ".bz2": lambda path: cast(BinaryIO, bz2.open(path, "wb")),
    ".xz": lambda path: cast(BinaryIO, lzma.open(path, "wb")),
    ".zst": _zstd_write,
}


@contextlib.contextmanager
def open_read(path: PathLike) -> Iterator[BinaryIO]:
    """Open a file for reading bytes, decompressed by suffix; `-` is standard input."""
    if str(path) == "-":
        yield sys.stdin.buffer
        return
    file = Path(path)
    if file.is_dir():
        raise InputError("is a directory; expected a file", path=path)
    try:
        with _READERS.get(file.suffix, lambda p: p.open("rb"))(file) as stream:
            yield stream
    except FileNotFoundError as error:
        raise InputError("no such file", path=path) from error
    except PermissionError as error:
        raise InputError("permission denied", path=path) from error


def read_chunks(path: PathLike, size: int = CHUNK_BYTES) -> Iterator[bytes]:
    """Yield the decompressed bytes of a file in chunks; damaged compression is an InputError."""
    with open_read(path) as stream:
        while True:
            try:
                chunk = stream.read(size)
            except (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile, OSError) as error:
                raise InputError(f"damaged or truncated compressed file ({error})", path=path) from error
            except Exception as error:
                if type(error).__name__ != "ZstdError":
                    raise
                raise InputError(f"damaged or truncated compressed file ({error})", path=path) from error
            if not chunk:
                return
            yield chunk


def read_lines(path: PathLike) -> list[str]:
    """Read a UTF-8 text as lines without their line ends; only LF and CRLF end a line."""
    data = b"".join(read_chunks(path))
    lines = data.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    try:
        return [line.removesuffix(b"\r").decode("utf-8") for line in lines]
    except UnicodeDecodeError:
        for number, line in enumerate(lines, 1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as error:
                message = f"not UTF-8: byte 0x{line[error.start]:02x} at column {error.start + 1}"
                raise InputError(message, path=path, line=number) from None
        raise


@contextlib.contextmanager
def open_write(path: PathLike) -> Iterator[BinaryIO]:
    """Open a file for writing bytes; it appears under its name, whole, only if the block succeeds.

    The suffix chooses the compression; `-` is standard output.
    """
    if str(path) == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    file = Path(path)
    if file.is_dir():
        raise InputError("is a directory; expected a file name to write", path=path)
    temporary = file.with_name(f".{file.name}.{os.getpid()}.tmp{file.suffix}")
    try:
        with _WRITERS.get(file.suffix, lambda p: cast(BinaryIO, io.BufferedWriter(p.open("wb", 0))))(
            temporary
        ) as stream:
            yield stream
        temporary.replace(file)
    except FileNotFoundError as error:
        raise InputError("cannot write: the folder does not exist", path=path) from error
    except OSError as error:
        raise InputError(f"cannot write: {error.strerror or error}", path=path) from error
    finally:
        temporary.unlink(missing_ok=True)
