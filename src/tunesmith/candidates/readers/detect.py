"""Detecting the format of a file: by its name, else by its first lines."""

from __future__ import annotations

from tunesmith.candidates.readers.base import READERS, Reader
from tunesmith.errors import InputError
from tunesmith.files import PathLike, content_suffix

__all__ = ["detect"]

_MAGIC = {b"\x1f\x8b": ".gz", b"BZh": ".bz2", b"\xfd7zXZ": ".xz", b"\x28\xb5\x2f\xfd": ".zst"}


def detect(path: PathLike, head: bytes) -> type[Reader]:
    """Return the reader of a file; an InputError if its name and first lines fit none."""
    suffix = content_suffix(path)
    for reader in READERS.values():
        if suffix in reader.suffixes:
            return reader
    for magic, compression in _MAGIC.items():
        if head.startswith(magic):
            raise InputError(
                f"compressed, but the name does not end in {compression}; rename the file", path=path
            )
    fitting = [reader for reader in READERS.values() if reader.recognizes(head)]
    if len(fitting) == 1:
        return fitting[0]
    found = f"fits {' and '.join(reader.name for reader in fitting)}" if fitting else "fits no format"
    line = head.split(b"\n", 1)[0]
    first = line[:60].decode("utf-8", "replace")
    raise InputError(
        f"cannot detect the format: the first line {first!r} {found}; expected candidate lists, or name"
        f" the format, one of {', '.join(READERS)}{_hint(line)}",
        path=path,
    )


def _hint(first: bytes) -> str:
    """Return the correct form of a line of id, text and bare numbers."""
    fields = first.split(b"|||")
    try:
        numbers = [float(number) for number in fields[2].split()] if len(fields) == 3 else []
    except ValueError:
        return ""
    return f"; scores need names: 'ID ||| text ||| logprob={numbers[0]:g}'" if numbers else ""
