"""One file of n-best lists as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith import _native
from tunesmith.files import PathLike
from tunesmith.texts import Texts
from tunesmith.types import FloatArray, IntArray

__all__ = ["ListFile"]

Rows = tuple[npt.NDArray[Any], npt.NDArray[Any]]
"""Offsets and values."""


@dataclass(frozen=True, eq=False)
class ListFile:
    """Lists of candidates as events: a phrase pair relative to the block on top of the stack.

    Candidate c uses the events `common` of its list and those in row c of `uses`, numbers of the events of
    the list. Arrays are copies of what is mapped, made when they are asked for.
    """

    native: _native.ListFile

    @classmethod
    def open(cls, path: PathLike) -> ListFile:
        """Map a file; a damaged one is an InputError."""
        return cls(_native.ListFile(str(path)))

    def __len__(self) -> int:
        return len(self.native)

    @cached_property
    def words(self) -> Texts:
        """Vocabulary of both sides."""
        return Texts.stored(*self.native.words(), "words", self.native.path)

    @cached_property
    def phrases(self) -> Rows:
        """Words of each target phrase."""
        return self.native.phrases()

    @cached_property
    def sentences(self) -> IntArray:
        """The row in the text of each list."""
        return self.native.sentences().astype(np.int64)

    @cached_property
    def sources(self) -> Rows:
        """Source words of each list."""
        return self.native.sources()

    @cached_property
    def scores(self) -> Rows:
        """Base scores of the candidates of each list."""
        return self.native.scores()

    @cached_property
    def statistics(self) -> FloatArray:
        """Statistics of BLEU, one row per candidate, as `tunesmith.metrics.Bleu` has them."""
        return self.native.statistics()

    @cached_property
    def dense_names(self) -> tuple[str, ...]:
        """The dense features of the decoder whose values the file has; mostly none."""
        return tuple(self.native.dense_names)

    @cached_property
    def dense(self) -> npt.NDArray[np.float32]:
        """Values of dense features, one row per candidate, less those of the first candidate of its list."""
        columns = [self.native.dense_column(number) for number in range(len(self.dense_names))]
        return (
            np.stack(columns, axis=1) if columns else np.zeros((self.native.candidate_count, 0), np.float32)
        )

    @cached_property
    def events(self) -> Rows:
        """Events of each list: [target, begin, end, block begin, block end, block's first and last word,
        orientation, is unknown]; -1 is no word."""
        return self.native.events()

    @cached_property
    def common(self) -> Rows:
        """Events that all candidates of a list have."""
        return self.native.common()

    @cached_property
    def uses(self) -> Rows:
        """Events of each candidate of all lists, without the common ones."""
        return self.native.uses()
