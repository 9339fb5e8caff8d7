"""Candidates whose sparse features are Boolean: a feature occurs or not, however often."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tunesmith import _native
from tunesmith.tuning.online.candidates import Candidates, difference_of
from tunesmith.types import FloatArray, Stats

__all__ = ["BooleanCandidates"]


@dataclass(frozen=True)
class BooleanCandidates:
    """Candidates with the signs of their sparse features: 1 if a feature occurs.

    Their scores are those of the decoder, which adds a weight each time that the feature occurs.
    """

    found: Candidates
    dense: frozenset[str]

    @property
    def scores(self) -> FloatArray:
        return self.found.scores

    @property
    def stats(self) -> Stats:
        return self.found.stats

    def features(self, index: int) -> _native.FeatureVector:
        vector = self.found.features(index)
        names, values = vector.names(), vector.values
        is_dense = np.fromiter((name in self.dense for name in names), dtype=bool, count=len(names))
        return _native.FeatureVector.of(names, np.where(is_dense, values, np.sign(values)))

    def difference(self, plus: int, minus: int) -> _native.FeatureVector:
        return difference_of(self, plus, minus)
