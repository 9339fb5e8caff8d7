"""The encoding of XML and SGML: by the byte order mark, else as declared, else UTF-8."""

from __future__ import annotations

import codecs
import re

from tunesmith.errors import InputError

__all__ = ["decoded", "in_ascii"]

_DECLARED = re.compile(rb"""\s*<\?xml\s(?:[^>]*?\s)?encoding\s*=\s*["']([^"'<>]*)["']""")
_UTF_16 = ("utf-16-le", "utf-16-be")
_MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_UNMARKED = {b"<\0": "utf-16-le", b"\0<": "utf-16-be"}
_ENCODINGS = (
    *("utf-8", "utf-16", "ascii", "iso8859-", "cp", "koi8-", "mac-", "gb", "big5", "shift_jis", "euc_"),
    *("iso2022_", "johab", "hz", "tis-620", "kz1048", "ptcp154"),
)
"""Begins of the names of Python's codecs of characters; it has others, which transform texts."""


def in_ascii(data: bytes) -> bytes:
    """Return the data such that tags are spelled in ASCII, without a byte order mark."""
    mark, encoding = _by_first_bytes(data)
    content = data.removeprefix(mark)
    return content.decode(encoding, "replace").encode() if encoding in _UTF_16 else content


def decoded(data: bytes, path: object) -> str:
    """Return the text; a declaration that is unknown or contradicts the first bytes is an InputError."""
    _, encoding = _by_first_bytes(data)
    head = in_ascii(data[:2000])
    if found := _DECLARED.match(head):
        encoding = _agreed(encoding, found[1].decode("latin-1"), path)
    try:
        return data.decode(encoding or "utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = data[: error.start].decode(encoding or "utf-8", "replace").count("\n") + 1
        message = f"not {(encoding or 'utf-8').upper()}: byte 0x{data[error.start]:02x}"
        raise InputError(message, path=path, line=line) from None


def _by_first_bytes(data: bytes) -> tuple[bytes, str]:
    """Return the byte order mark and the encoding that the first bytes show; "" if they leave it open."""
    mark = next((mark for mark in _MARKS if data.startswith(mark)), b"")
    return mark, _MARKS[mark] if mark else _UNMARKED.get(data[:2], "")


def _agreed(shown: str, declared: str, path: object) -> str:
    """Return the declared encoding, unless it contradicts what the first bytes show."""
    try:
        name = codecs.lookup(declared).name
    except (LookupError, ValueError):  # ValueError: a NUL
        name = ""
    if not name.startswith(_ENCODINGS):
        raise InputError(
            f"the encoding {declared!r:.60} is unknown; convert the file to UTF-8", path=path, line=1
        )
    fits = {"": name not in (*_UTF_16, "utf-16"), "utf-8": name.startswith("utf-8")}
    if not fits.get(shown, name in (shown, "utf-16")):
        found = shown.upper() if shown else "those of ASCII"
        raise InputError(
            f"declares the encoding {declared!r}, but its first bytes are {found}; correct the declaration",
            path=path,
            line=1,
        )
    return shown or name
