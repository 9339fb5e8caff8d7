"""Candidates as updates see them: with other features than those of the decoder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tunesmith import _native
from tunesmith.systems.candidates import Candidates, difference_of
from tunesmith.tuning.online.frozen import Frozen
from tunesmith.types import FloatArray, Stats

if TYPE_CHECKING:
    from tunesmith.tuning.online.learner import LearnerOptions

__all__ = ["BooleanCandidates", "CandidateView", "FreeCandidates"]


@dataclass(frozen=True)
class _Viewed:
    """The scores are those of the decoder, with all of its features as they are."""

    found: Candidates

    @property
    def scores(self) -> FloatArray:
        return self.found.scores

    @property
    def stats(self) -> Stats:
        return self.found.stats


@dataclass(frozen=True)
class BooleanCandidates(_Viewed):
    """Candidates with the signs of their sparse features: 1 if a feature occurs, however often."""

    dense: frozenset[str]

    def features(self, index: int) -> _native.FeatureVector:
        vector = self.found.features(index)
        names, values = vector.names(), vector.values
        is_dense = np.fromiter((name in self.dense for name in names), dtype=bool, count=len(names))
        return _native.FeatureVector.of(names, np.where(is_dense, values, np.sign(values)))

    def difference(self, plus: int, minus: int) -> _native.FeatureVector:
        return difference_of(self, plus, minus)


@dataclass(frozen=True)
class FreeCandidates(_Viewed):
    """Candidates without their frozen features, so that no update sees them.

    A margin is then satisfied by the smallest change of the free weights, as the norm of a difference has
    only these.
    """

    frozen: Frozen

    def features(self, index: int) -> _native.FeatureVector:
        return self.frozen.without(self.found.features(index))

    def difference(self, plus: int, minus: int) -> _native.FeatureVector:
        return self.frozen.without(self.found.difference(plus, minus))


@dataclass(frozen=True)
class CandidateView:
    """How updates see candidates: without `frozen` features, sparse ones as Boolean if asked for.

    `dense` are the dense features of the run, which all of its processes know from its start weights.
    """

    frozen: Frozen
    dense: frozenset[str]
    boolean: bool

    @classmethod
    def of(cls, options: LearnerOptions, dense: Sequence[str]) -> CandidateView:
        """Return that of the options."""
        return cls(Frozen.of(options, dense), frozenset(dense), options.boolean)

    def __call__(self, candidates: Candidates) -> Candidates:
        """Return candidates as updates see them."""
        if self.boolean:
            candidates = BooleanCandidates(candidates, self.dense)
        return FreeCandidates(candidates, self.frozen) if self.frozen else candidates
