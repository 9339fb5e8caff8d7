"""The k best translations of a sentence, without a forest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tunesmith import _native

__all__ = ["KBest"]


@dataclass(frozen=True)
class KBest:
    """Translations by decreasing score, extracted from the graph of the search.

    No features are computed until they are asked for, and then those of one candidate: an online learner
    needs two or three of 500. Empty if no derivation reaches a required target.
    """

    native: _native.Kbest
    model: _native.WeightedModel

    def __len__(self) -> int:
        return len(self.native)

    def __repr__(self) -> str:
        return f"<KBest: {len(self)} translations>"

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The translations."""
        blob, offsets = self.native.texts()
        data = blob.tobytes()
        return tuple(data[a:b].decode("utf-8") for a, b in pairwise(offsets))

    @cached_property
    def scores(self) -> NDArray[np.float64]:
        """The model scores: products of features and weights, up to the rounding of 32-bit sums."""
        return self.native.scores()

    def features(self, candidate: int) -> _native.FeatureVector:
        """Return the features of a candidate by name, dense and sparse. O(length of its derivation)."""
        return self.native.features(self.model, candidate)

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts)
