"""The forest of a search without features."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tunesmith import _native
from tunesmith.forest import Derivation, Forest
from tunesmith.types import FloatArray

__all__ = ["ScoredForest"]


@dataclass(frozen=True)
class ScoredForest:
    """All derivations of a sentence that a search kept. Edges have scores, but no features.

    Features are computed for the derivations that are asked for: an online learner with millions of sparse
    features needs those of two. The forest has no nodes if no derivation reaches a required target. One
    thread at a time may ask for features.
    """

    native: _native.ScoredForest
    model: _native.WeightedModel

    def __repr__(self) -> str:
        return f"<ScoredForest: {self.forest.node_count} nodes, {self.forest.edge_count} edges>"

    @cached_property
    def forest(self) -> Forest:
        """The nodes and edges, as in the forest of a `Translation`."""
        return Forest(self.native.forest)

    @cached_property
    def scores(self) -> FloatArray:
        """The model score of each edge: features times weights, up to the rounding of 32-bit sums."""
        return self.native.scores()

    def features(self, derivation: Derivation) -> _native.FeatureVector:
        """Return the features of a derivation by name, dense and sparse. O(length of the derivation)."""
        return self.native.features(self.model, np.array(derivation.edges, dtype=np.uint32))
