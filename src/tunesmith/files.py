"""Files: compressed by suffix, written under a temporary name, then renamed."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import lzma
import os
import stat
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Protocol, TypeAlias, TypeVar, cast

from tunesmith.errors import InputError, OptionError
from tunesmith.leftovers import temporary_name

__all__ = [
    "COMPRESSIONS",
    "PathLike",
    "check_output",
    "check_outputs",
    "check_single_lines",
    "content_suffix",
    "forget_standard_output",
    "open_regular",
    "open_write",
    "parse_chunks",
    "read_chunks",
    "read_lines",
    "same_file",
]

PathLike: TypeAlias = str | os.PathLike[str]

CHUNK_BYTES = 1 << 20
_COMPRESSED_BYTES = 1 << 16
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class _Decompressor(Protocol):
    """Decompresses one member; the interface shared by the standard library and zstandard."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


def _zstandard() -> Any:
    import zstandard

    return zstandard


_DECOMPRESSORS: dict[str, Callable[[], _Decompressor]] = {
    ".gz": lambda: zlib.decompressobj(wbits=31),
    ".bz2": bz2.BZ2Decompressor,
    ".xz": lzma.LZMADecompressor,
    ".zst": lambda: cast(_Decompressor, _zstandard().ZstdDecompressor().decompressobj()),
}


@contextlib.contextmanager
def _write_gzip(path: Path) -> Iterator[BinaryIO]:
    # No clock and no name in the header: the same content gives the same bytes. Level 4 takes half the
    # time of the usual 6, for a few percent more bytes.
    with path.open("wb") as raw, gzip.GzipFile("", "wb", 4, raw, mtime=0) as stream:
        yield cast(BinaryIO, stream)


def _write_plain(path: Path) -> BinaryIO:
    return path.open("wb")


def _write_zstd(path: Path) -> contextlib.AbstractContextManager[BinaryIO]:
    compressor = _zstandard().ZstdCompressor(write_checksum=True)
    return cast(BinaryIO, _zstandard().open(path, "wb", cctx=compressor))


_WRITERS: dict[str, Callable[[Path], contextlib.AbstractContextManager[BinaryIO]]] = {
    ".gz": _write_gzip,
    ".bz2": lambda path: cast(BinaryIO, bz2.open(path, "wb")),
    ".xz": lambda path: cast(BinaryIO, lzma.open(path, "wb")),
    ".zst": _write_zstd,
}

COMPRESSIONS = frozenset(_DECOMPRESSORS)
"""The suffixes of compressed files."""


def open_regular(path: PathLike) -> io.BufferedReader:
    """Open a regular file; a pipe or a device is an InputError, and not waited for."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError as error:
        raise InputError("no such file", path=path) from error
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read: {getattr(error, 'strerror', None) or error}", path=path) from error
    stream = os.fdopen(descriptor, "rb") if stat.S_ISREG(os.fstat(descriptor).st_mode) else None
    if stream is None:
        os.close(descriptor)
        raise InputError("is not a regular file; expected one, not a directory, pipe or device", path=path)
    return stream


def _open_finite(path: PathLike) -> io.BufferedReader:
    """Open a file, a pipe or a terminal; /dev/zero, which would be read for ever, is an InputError."""
    try:
        stream = Path(path).open("rb")
    except FileNotFoundError as error:
        raise InputError("no such file", path=path) from error
    except IsADirectoryError as error:
        raise InputError("is a directory; expected a file", path=path) from error
    except (OSError, ValueError) as error:  # ValueError: a NUL, or a name that is not UTF-8
        raise InputError(f"cannot read: {getattr(error, 'strerror', None) or error}", path=path) from error
    mode = os.fstat(stream.fileno()).st_mode
    is_device = stat.S_ISCHR(mode) or stat.S_ISBLK(mode)
    if is_device and not stream.isatty() and os.path.realpath(path) != os.devnull:
        stream.close()
        raise InputError("is a device; expected a file or a pipe", path=path)
    return stream


def read_chunks(path: PathLike, *, regular: bool = False) -> Iterator[bytes]:
    """Yield the bytes of a file in chunks, decompressed by suffix; `-` is standard input.

    A file that is missing, a directory, a device without an end, or damaged or truncated compression is an
    InputError; so is one that is not `regular`, if asked (see `open_regular`).
    """
    if str(path) == "-" and not regular:
        yield from _pieces(sys.stdin.buffer, CHUNK_BYTES)
        return
    suffix = Path(path).suffix
    try:
        with open_regular(path) if regular else _open_finite(path) as stream:
            if suffix not in COMPRESSIONS:
                yield from _pieces(stream, CHUNK_BYTES)
                return
            yield from _decompress(path, stream, _DECOMPRESSORS[suffix])
    except OSError as error:
        raise InputError(f"cannot read: {error.strerror or error}", path=path) from error


Parsed_co = TypeVar("Parsed_co", covariant=True)


class Parser(Protocol[Parsed_co]):
    """A native parser: takes chunks, then returns the parsed result."""

    def feed(self, chunk: bytes) -> None: ...
    def finish(self) -> Parsed_co: ...


def parse_chunks(parser: Parser[Parsed_co], chunks: Iterable[bytes], path: PathLike | None) -> Parsed_co:
    """Push a whole file into a native parser; its errors get the path of the file."""
    try:
        for chunk in chunks:
            parser.feed(chunk)
        return parser.finish()
    except InputError as error:
        if error.path is not None or path is None:
            raise
        raise InputError(error.message, path=path, line=error.line) from None


def _pieces(stream: BinaryIO, size: int) -> Iterator[bytes]:
    """Yield data as it arrives, so that a slow pipe can be read before its end."""
    read: Callable[[int], bytes] = getattr(stream, "read1", stream.read)
    while piece := read(size):
        yield piece


def _decompress(path: PathLike, stream: BinaryIO, make: Callable[[], _Decompressor]) -> Iterator[bytes]:
    """Decompress concatenated members, such as the output of `cat a.gz b.gz`.

    Unlike the libraries' own file objects, which accept a zst that ends within a frame, this rejects
    truncated data in every format.
    """
    decoder: _Decompressor | None = None
    for piece in _pieces(stream, _COMPRESSED_BYTES):
        data = piece
        while data:
            if decoder is None or decoder.eof:
                data = data.lstrip(b"\0")  # padding after a member
                decoder = make() if data else decoder
                continue
            try:
                text = decoder.decompress(data)
            except Exception as error:  # each library has its own
                raise InputError(f"damaged compressed file ({error})", path=path) from None
            data = decoder.unused_data if decoder.eof else b""
            if text:
                yield text
    if decoder is None or not decoder.eof:
        raise InputError("truncated compressed file: it ends before its data do", path=path)


def content_suffix(path: PathLike) -> str:
    """Return the suffix of the content: `.jsonl` of `dev.jsonl.gz`; "" if there is none."""
    file = Path(path)
    return (file.with_suffix("") if file.suffix in COMPRESSIONS else file).suffix


def read_lines(path: PathLike, *, regular: bool = False) -> list[str]:
    """Read a UTF-8 text as lines without their line ends; only LF and CRLF end a line.

    With `regular` a pipe or a device is an InputError (see `open_regular`).
    """
    data = b"".join(read_chunks(path, regular=regular)).removeprefix(_BYTE_ORDER_MARK)
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


def check_output(path: PathLike) -> None:
    """Raise InputError if a file cannot be written there; called before long computations."""
    file = Path(path)
    if str(path) == "-":
        raise InputError("expected the name of a file, not standard output", path=path)
    _check_name(path)
    if file.is_dir():
        raise InputError("is a directory; expected a file name to write", path=path)
    if not file.parent.is_dir():
        raise InputError("cannot write: the folder does not exist", path=path)
    if not os.access(file if file.exists() else file.parent, os.W_OK):
        raise InputError("cannot write: permission denied", path=path)


def _check_name(path: PathLike) -> None:
    """Raise InputError if no file can have this name: it is too long, or has a NUL."""
    try:
        Path(path).stat()
    except (FileNotFoundError, NotADirectoryError):
        return
    except (OSError, ValueError) as error:
        raise InputError(f"cannot write: {getattr(error, 'strerror', None) or error}", path=path) from error


def check_outputs(outputs: Iterable[PathLike | None], inputs: Iterable[PathLike | None] = ()) -> None:
    """Check each output as `check_output` does; one that is an input, or another output, is an OptionError.

    Files are compared by `same_file`. None stands for an option that was not given, and `-` for standard
    output; devices and pipes may be given twice.
    """
    given = [path for path in outputs if path is not None]
    for path in given:
        _check_name(path)
    taken = [(path, "an input") for path in inputs if path is not None and str(path) != "-"]
    for path in given:
        can_be_lost = str(path) == "-" or Path(path).is_file() or not Path(path).exists()
        for other, what in taken if can_be_lost else ():
            if same_file(path, other):
                raise OptionError(f"{path} is {what} too; choose another name for the output")
        taken.append((path, "another output"))
    for path in given:
        if str(path) != "-":
            check_output(path)


def same_file(one: PathLike, other: PathLike) -> bool:
    """Whether two paths lead to one file or folder, by symbolic or hard links too; `-` is like no other."""
    if "-" in (str(one), str(other)):
        return str(one) == str(other)
    try:
        return Path(one).samefile(other)
    except OSError:  # one of them is not there
        return os.path.realpath(one) == os.path.realpath(other)


@contextlib.contextmanager
def open_write(path: PathLike) -> Iterator[BinaryIO]:
    """Open a file for writing bytes, atomically: it appears under its name only if the block succeeds.

    The suffix chooses the compression; `-` is standard output. Links are followed; pipes, devices and
    other special files are written to directly.
    """
    if str(path) == "-":
        yield from _write_standard_output()
        return
    _check_name(path)
    file = Path(os.path.realpath(path))
    if file.is_dir():
        raise InputError("is a directory; expected a file name to write", path=path)
    special = file.exists() and not file.is_file()
    temporary = file if special else temporary_name(file)
    make = _WRITERS.get(file.suffix, _write_plain)
    try:
        with make(temporary) as stream:
            yield stream
        if not special:
            temporary.replace(file)
    except OSError as error:
        if error.filename is not None and str(error.filename) not in (str(temporary), str(file)):
            raise  # of another file, which the block used
        missing = isinstance(error, FileNotFoundError)
        reason = "the folder does not exist" if missing else error.strerror or error
        raise InputError(f"cannot write: {reason}", path=path) from error
    finally:
        if not special:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)


def _write_standard_output() -> Iterator[BinaryIO]:
    try:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    except OSError as error:
        forget_standard_output()
        raise InputError(f"cannot write: {error.strerror or error}", path="standard output") from error


def forget_standard_output() -> None:
    """Discard unwritten data; else the write would be retried, and fail again, at exit."""
    with contextlib.suppress(OSError, ValueError), Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def check_single_lines(ids: Iterable[str], texts: Iterable[str], path: PathLike) -> None:
    """Raise InputError if a text contains a line end: the output would have more lines than sentences."""
    for name, text in zip(ids, texts, strict=True):
        if "\n" in text:
            raise InputError(
                f"the text {text[:60]!r} of sentence {name!r} contains a line end;"
                " expected one line per sentence: remove it, or print JSON",
                path=path,
            )
