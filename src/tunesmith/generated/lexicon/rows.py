"""Reading the tables of the lexicon: columns, weighted alternatives, aligned phrases."""

from __future__ import annotations

from tunesmith.errors import InputError

__all__ = ["PUNCTUATION", "Aligned", "align", "alternatives", "columns"]

PUNCTUATION = frozenset(".,!?")

Aligned = tuple[tuple[str, int], ...]
"""Words with the number of the piece of meaning that they express; equal numbers are linked."""


def columns(table: str, count: int) -> list[list[str]]:
    """Split a table into rows of `count` columns at `|`; a row of another length is an error."""
    rows = [[cell.strip() for cell in line.split("|")] for line in table.strip().splitlines()]
    for row in rows:
        if len(row) != count:
            raise InputError(f"lexicon row {' | '.join(row)!r}: expected {count} columns, found {len(row)}")
    return rows


def alternatives(cell: str, separator: str = ",") -> list[tuple[str, float]]:
    """Split `buy 6, purchase 1` into texts and weights; no weight is 1."""
    weighted = []
    for part in cell.split(separator):
        text, _, weight = part.strip().rpartition(" ")
        if text and weight.replace(".", "", 1).isdigit():
            weighted.append((text, float(weight)))
        else:
            weighted.append((part.strip(), 1.0))
    return weighted


def align(german: str, english: list[str]) -> tuple[Aligned, list[Aligned]]:
    """Number the words of a phrase and of its translations.

    Numbers given as `vor:1 zwei:2` hold, and words without one express nothing of their own (-1).
    Otherwise phrases of equal length are linked word by word, others as one block. Punctuation is 0.
    """
    texts = [german.split(), *(text.split() for text in english)]
    if ":" in german:
        numbered = [tuple(_numbered(word) for word in words) for words in texts]
    elif all(len(words) == len(texts[0]) for words in texts):
        numbered = [tuple((word, i + 1) for i, word in enumerate(words)) for words in texts]
    else:
        numbered = [tuple((word, 0 if word in PUNCTUATION else 1) for word in words) for words in texts]
    return numbered[0], numbered[1:]


def _numbered(text: str) -> tuple[str, int]:
    word, colon, number = text.rpartition(":")
    if colon:
        return word, int(number)
    return text, 0 if text in PUNCTUATION else -1
