"""Words and their classes, for language models over classes."""

from __future__ import annotations

from tunesmith import _native
from tunesmith.files import PathLike, parse_chunks, read_chunks

__all__ = ["read_class_map"]


def read_class_map(path: PathLike) -> _native.ClassMap:
    """Read lines of a word, tab or spaces, and its class; a word with two classes is an error."""
    return parse_chunks(_native.ClassMapParser(), read_chunks(path), path)
