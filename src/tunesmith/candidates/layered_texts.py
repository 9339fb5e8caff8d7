"""The texts of several columns as one column, without copying."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tunesmith.errors import InputError
from tunesmith.immutable import unshared
from tunesmith.texts import Texts
from tunesmith.types import IntArray

__all__ = ["LayeredTexts"]


class LayeredTexts(Texts):
    """Text i is text `rows[i]` of the concatenated `columns`.

    Taking texts reads the columns, which may be on mapped files. Access to `blob` or `offsets` builds one
    column in memory, once; a learner whose metric is already measured needs neither.
    """

    columns: tuple[Texts, ...]
    rows: IntArray

    def __init__(self, columns: Sequence[Texts], rows: IntArray) -> None:
        vars(self).update(columns=tuple(columns), rows=unshared(rows))  # the base class is frozen

    def __len__(self) -> int:
        return len(self.rows)

    def take(self, rows: npt.ArrayLike) -> Texts:
        chosen = np.asarray(rows, dtype=np.int64)
        if outside := chosen[(chosen < 0) | (chosen >= len(self))].tolist():
            raise InputError(f"text {outside[0]} is outside 0..{len(self)}")
        return self._taken(self.rows[chosen])

    @property
    def blob(self) -> npt.NDArray[np.uint8]:
        return self._flat.blob

    @property
    def offsets(self) -> IntArray:
        return self._flat.offsets

    @cached_property
    def _flat(self) -> Texts:
        return self._taken(self.rows)

    def _taken(self, places: IntArray) -> Texts:
        """Return the texts at places of the concatenated columns: per column, then in the given order."""
        ends = np.cumsum([len(column) for column in self.columns])
        owners = np.searchsorted(ends, places, side="right")
        by_owner = np.argsort(owners, kind="stable")
        parts = []
        for number, column in enumerate(self.columns):
            own = places[owners == number]
            parts.append(column.take(own - (ends[number] - len(column))))
        order = np.empty(len(places), dtype=np.int64)
        order[by_owner] = np.arange(len(places))
        return Texts.joined(parts).take(order)
