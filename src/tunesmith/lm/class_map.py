"""Words and their classes, for language models over classes."""

from __future__ import annotations

from tunesmith import _native
from tunesmith.files import PathLike, parse_chunks, read_chunks

__all__ = ["read_class_map"]


def read_class_map(path: PathLike) -> _native.ClassMap:
    """Read a word and its class a line, a tab or spaces between them; a word with two classes is an error."""
    return parse_chunks(_native.ClassMapParser(), read_chunks(path), path)
