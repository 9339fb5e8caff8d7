"""References in tables with one row per candidate: a column of texts, or of lists of texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tunesmith.errors import InputError
from tunesmith.texts import Texts
from tunesmith.types import IntArray

__all__ = ["column_references", "one_per_list"]

EXPECTED = "expected a text or a list of texts"


def column_references(
    values: Sequence[Any], name: str, offsets: IntArray, ids: Sequence[str]
) -> tuple[Texts, ...]:
    """Return the references of a column: one if it has texts, several if lists (tuples, arrays) of texts.

    All rows of a list must have the same references, and all lists equally many; anything else is an
    InputError that names the column and what was found.
    """
    rows = [_texts(value, name, row) for row, value in enumerate(values)]
    first = [rows[begin] for begin in offsets[:-1].tolist()]
    for row, sentence in enumerate(np.repeat(np.arange(len(first)), np.diff(offsets)).tolist()):
        if rows[row] != first[sentence]:
            _refuse_different(first[sentence], rows[row], name, ids[sentence])
    counts = sorted({len(texts) for texts in first})
    if len(counts) > 1:
        raise InputError(
            f"column {name!r} must have the same number of texts in every row, found {counts[0]}"
            f" and {counts[-1]}"
        )
    return tuple(Texts.of(texts) for texts in zip(*first, strict=True))


def one_per_list(texts: Texts, name: str, offsets: IntArray, ids: Sequence[str]) -> Texts:
    """Take the text of each list from its first row; all its rows must have the same text."""
    chosen = texts.take(offsets[:-1])
    repeated = chosen.take(np.repeat(np.arange(len(chosen)), np.diff(offsets)))
    if repeated != texts:
        row = next(row for row in range(len(texts)) if repeated[row] != texts[row])
        sentence = int(np.searchsorted(offsets, row, side="right")) - 1
        _refuse_different((repeated[row],), (texts[row],), name, ids[sentence])
    return chosen


def _texts(value: Any, name: str, row: int) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    if isinstance(value, Sequence | np.ndarray) and not isinstance(value, bytes | bytearray):
        if isinstance(value, np.ndarray) and value.ndim != 1:
            raise InputError(f"column {name!r} has an array of shape {value.shape} in row {row}; {EXPECTED}")
        for text in value:
            if not isinstance(text, str):
                raise InputError(
                    f"column {name!r} has a list with an entry of type {type(text).__name__} in row {row};"
                    f" {EXPECTED}"
                )
        return tuple(str(text) for text in value)
    if value is None or value != value or type(value).__name__ in ("NAType", "NaTType"):  # noqa: PLR0124 - NaN
        raise InputError(f"column {name!r} has no value in row {row}; {EXPECTED}")
    raise InputError(f"column {name!r} has a value of type {type(value).__name__} in row {row}; {EXPECTED}")


def _refuse_different(one: tuple[str, ...], other: tuple[str, ...], name: str, sentence: str) -> None:
    found = "two texts" if len(one) == len(other) == 1 else "different lists of texts"
    raise InputError(
        f"column {name!r} has {found} for sentence {sentence!r}; expected the same in all its rows"
    )
