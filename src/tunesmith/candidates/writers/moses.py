"""N-best lists as Moses reads them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

import numpy as np

from tunesmith.candidates.features import Features
from tunesmith.candidates.pool import Pool
from tunesmith.candidates.writers.base import WRITERS, Writer
from tunesmith.candidates.writers.nbest import nbest_chunks
from tunesmith.types import BoolArray

__all__ = ["Moses"]


@WRITERS.register("moses")
class Moses(Writer):
    """`ID ||| text ||| Label= v v v name= v ||| total`

    Adjacent features `Label_0` to `Label_n` that always occur together are written as the values of
    `Label`.
    """

    name: ClassVar[str] = "moses"
    numbered: ClassVar[bool] = True

    def chunks(self, pool: Pool) -> Iterator[bytes]:
        return nbest_chunks(pool, _prefixes(pool.features))


def _prefixes(features: Features) -> Iterator[str]:
    """Yield the prefix of each feature's value: its name, its label, or a blank within a run."""
    joined = _joined(features)
    known = set(features.names)
    names = features.names
    column = 0
    while column < len(names):
        label = names[column].removesuffix("_0")
        length = _run(names, column, label, joined) if label != names[column] and label not in known else 1
        yield f" {label if length > 1 else names[column]}= "
        yield from [" "] * (length - 1)
        column += length


def _run(names: Sequence[str], start: int, label: str, joined: BoolArray) -> int:
    """Return the length of the run `label_0`, `label_1`, ... from `start` whose features occur together."""
    length = 1
    while (
        start + length < len(names)
        and names[start + length] == f"{label}_{length}"
        and joined[start + length]
    ):
        length += 1
    return length if label else 1


def _joined(features: Features) -> BoolArray:
    """Return for each feature whether it and the one before it occur in the same candidates."""
    counts = np.bincount(features.columns, minlength=features.width)
    follows = np.zeros(len(features.columns), dtype=np.bool_)
    follows[1:] = np.diff(features.columns) == 1
    follows[features.offsets[:-1][np.diff(features.offsets) > 0]] = (
        False  # the first entry of a row has no predecessor
    )
    pairs = np.bincount(features.columns[follows], minlength=features.width)
    joined = np.zeros(features.width, dtype=np.bool_)
    joined[1:] = (counts[1:] == counts[:-1]) & (pairs[1:] == counts[1:])
    return joined
