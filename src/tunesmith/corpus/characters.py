"""Entities and invisible characters of raw text, which no tokenizer should see."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from html.entities import html5
from typing import Literal, TypeAlias

import numpy as np

from tunesmith.texts import Texts

__all__ = ["Characters", "clean_characters", "clean_line"]

Characters: TypeAlias = Literal["clean", "keep"]

ZERO_WIDTH_SPACE = "\u200b"
INVISIBLE = {
    "\u00ad": "soft hyphen",
    "\u2060": "word joiner",
    "\ufeff": "byte order mark, zero width no-break space",
}
"""Characters within words that are not shown. Joiners of letters (U+200C, U+200D) are not among them: words
of Persian and of languages of India are spelled with them."""

_ENTITY = re.compile(r"&(?:[A-Za-z][A-Za-z0-9]{1,31}|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});")
_NEEDLES = [character.encode("utf-8") for character in ("&", ZERO_WIDTH_SPACE, *INVISIBLE)]
_TABLE = str.maketrans({ZERO_WIDTH_SPACE: " ", **dict.fromkeys(INVISIBLE, "")})


def clean_line(line: str) -> str:
    """Return a line with entities as characters and without invisible characters.

    Entities are those of HTML that end with a semicolon (`&amp;`, `&#39;`), each replaced once; others,
    such as `AT&T;` and `&section;`, stay. A zero width space (U+200B), which separates words, becomes a
    space; soft hyphen (U+00AD), word joiner (U+2060) and byte order mark (U+FEFF) are removed.
    """
    return _ENTITY.sub(_character, line).translate(_TABLE)


def clean_characters(lines: Texts) -> Texts:
    """Apply `clean_line` to all lines; O(characters), a scan if nothing is to be cleaned."""
    blob = lines.blob.tobytes()
    starts = [start for needle in _NEEDLES for start in _positions(blob, needle)]
    if not starts:
        return lines
    lengths, pieces, done = np.diff(lines.offsets), [], 0
    for number in np.unique(np.searchsorted(lines.offsets, starts, side="right") - 1).tolist():
        begin, end = int(lines.offsets[number]), int(lines.offsets[number + 1])
        # Bytes that are not UTF-8 pass through: the tokenizer refuses them, with their line.
        line = clean_line(blob[begin:end].decode("utf-8", "surrogateescape"))
        cleaned = line.encode("utf-8", "surrogateescape")
        pieces += [blob[done:begin], cleaned]
        lengths[number], done = len(cleaned), end
    changed = b"".join([*pieces, blob[done:]])
    return Texts(np.frombuffer(changed, dtype=np.uint8), np.concatenate([[0], np.cumsum(lengths)]))


def _character(entity: re.Match[str]) -> str:
    """Return the character of an entity, or the text itself if it is none."""
    text = entity[0]
    # html.unescape alone would take the start of an unknown name for an old entity: `&section;` as `§ion;`.
    return html.unescape(text) if text[1] == "#" or text[1:] in html5 else text


def _positions(blob: bytes, needle: bytes) -> Iterator[int]:
    start = blob.find(needle)
    while start >= 0:
        yield start
        start = blob.find(needle, start + 1)
