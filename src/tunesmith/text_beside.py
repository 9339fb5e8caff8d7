"""Pointing out the text that a binary file of another program was probably made from."""

from __future__ import annotations

from pathlib import Path

from tunesmith.files import COMPRESSIONS, PathLike

__all__ = ["text_beside"]

_BINARY_SUFFIXES = (".minphr", ".minlexr", ".binlexr", ".binphr", ".binary", ".bin", ".blm", ".klm", ".mmap")


def text_beside(ini: PathLike, named: str) -> str:
    """Return a note on files that look like the text form of a binary one, named relative to another file."""
    path = Path(ini).parent / named
    stem = path.name
    for suffix in _BINARY_SUFFIXES:
        stem = stem.removesuffix(suffix)
    if not named or not path.parent.is_dir():
        return ""
    names = [f"{stem}{more}{suffix}" for more in ("", ".arpa", ".txt") for suffix in ("", *COMPRESSIONS)]
    found = [name for name in names if name != path.name and (path.parent / name).is_file()]
    return f" (perhaps {found[0]}, which is in the same folder)" if found else ""
