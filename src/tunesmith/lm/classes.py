"""Words and their classes, for language models over classes."""

from __future__ import annotations

from tunesmith import _native
from tunesmith.files import PathLike, parse_chunks, read_chunks

__all__ = ["read_word_classes"]


def read_word_classes(path: PathLike) -> _native.WordClasses:
    """Read a word and its class a line, a tab or spaces between them; a word with two classes is an error."""
    return parse_chunks(_native.WordClassParser(), read_chunks(path), path)
