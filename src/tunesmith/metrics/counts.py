"""N-gram counts of hypotheses and references; both may be expectations."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tunesmith.types import FloatArray, IntArray

__all__ = ["CountSlopes", "NgramCounts"]


@dataclass(frozen=True, eq=False)
class NgramCounts:
    """The input of an n-gram metric for many sentences; all counts may be fractional.

    The n-grams `offsets[i]` to `offsets[i + 1]` are those of sentence i that occur in its references.
    Training on forests uses expected counts for the hypothesis, consensus decoding for the references.
    """

    offsets: IntArray
    lengths: IntArray
    """The number of words of each n-gram."""
    counts: FloatArray
    """The count in the hypothesis."""
    limits: FloatArray
    """The clipping limit: the largest count in one reference."""
    totals: FloatArray
    """Sentences x orders: all n-grams of the hypothesis per order; the first column is its length."""
    reference_lengths: FloatArray
    """Sentences x references: reference lengths in words."""

    @property
    def order(self) -> int:
        """The highest n-gram order."""
        return int(self.totals.shape[1])

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self.totals)

    def matches(self) -> FloatArray:
        """Return sum over g of min(count, limit) for each sentence and order."""
        return self._sums(np.minimum(self.counts, self.limits))

    def matched(self, slopes: FloatArray) -> FloatArray:
        """Return derivatives by each n-gram's count, given those by `matches`, one row per sentence.

        The derivative of min(count, limit) is 0 above the limit; at the kink it is 1, as in the appendix of
        Pauls, DeNero and Klein (2009).
        """
        inside: FloatArray = np.where(
            self.counts <= self.limits, slopes[self.sentences, self.lengths - 1], 0.0
        )
        return inside

    @property
    def sentences(self) -> IntArray:
        """The sentence of each n-gram."""
        return np.repeat(np.arange(len(self)), np.diff(self.offsets))

    def _sums(self, values: FloatArray) -> FloatArray:
        cells = self.sentences * self.order + self.lengths - 1
        sums: FloatArray = np.bincount(cells, weights=values, minlength=len(self) * self.order).astype(
            np.float64
        )
        return sums.reshape(len(self), self.order)


@dataclass(frozen=True, eq=False)
class CountSlopes:
    """Derivatives with respect to counts, in the shape of `NgramCounts`."""

    counts: FloatArray
    totals: FloatArray
