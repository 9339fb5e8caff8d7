"""Words as parts of feature names: parts are joined by underscores, and some texts are not words.

Bytes of a word are written as `%` and two hexadecimal digits, so that different words stay different and none
reads as something else: each underscore (`%5F`); a `%` that such digits follow (`%25`); and the first byte of
a word that has a meaning of its own in names: `~`, `<s>`, `</s>`, `OTHER`, and X with digits, as of gaps. All
other words stay as they are. The same as native `weights/word_part.h`.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["END", "GAPS", "OTHER", "START", "UNSEEN", "class_part", "is_word_part", "word_of", "word_part"]

START: Final = "<s>"
END: Final = "</s>"
OTHER: Final = "OTHER"
"""The part of all words that are not in a list."""
UNSEEN: Final = "c-"
"""The part of words without a class."""

GAPS: Final = frozenset({"X1", "X2"})
"""The gaps of rules."""

_MEANT = re.compile(r"~|</?s>|OTHER|X[0-9]+")
_FIRST = frozenset("~<OX")
_CODED = re.compile(r"_|%(?=[0-9A-F]{2})")
_CODE = re.compile(rb"%([0-9A-F]{2})")


def word_part(word: str) -> str:
    """Return what names have for a word."""
    if _MEANT.fullmatch(word):
        return f"%{ord(word[0]):02X}{word[1:]}"
    if "_" not in word and "%" not in word:
        return word
    return _CODED.sub(lambda found: "%5F" if found[0] == "_" else "%25", word)


def word_of(part: str) -> str:
    """Return the word of a part: the inverse of `word_part`."""
    if "%" not in part:
        return part
    coded = _CODE.sub(lambda found: bytes([int(found[1], 16)]), part.encode())
    return coded.decode("utf-8", "replace")


def is_word_part(part: str) -> bool:
    """Return whether `word_part` of some word is this text."""
    if "%" not in part:
        return bool(part) and "_" not in part and (part[0] not in _FIRST or not _MEANT.fullmatch(part))
    return word_part(word_of(part)) == part


def class_part(name: str) -> str:
    """Return what names have for a class: `c3`; a class that is called `-` is not the one of no class."""
    return "c%2D" if name == "-" else f"c{word_part(name)}"
