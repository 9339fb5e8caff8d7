"""The best derivations along a direction of weights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tunesmith import _native
from tunesmith.forest.derivation import Derivation, derivations_of
from tunesmith.forest.forest import Forest
from tunesmith.forest.scores import Scores, edge_scores
from tunesmith.types import FloatArray

__all__ = ["Envelope", "envelope"]


@dataclass(frozen=True, eq=False)
class Envelope:
    """`winners[i]` has the highest score from `thresholds[i - 1]` to `thresholds[i]`.

    Its score at gamma is `winners[i].score + gamma * slopes[i]`. Both thresholds and slopes rise.
    """

    thresholds: FloatArray
    slopes: FloatArray
    winners: tuple[Derivation, ...]

    def at(self, gamma: float) -> Derivation:
        """Return the winner at gamma; at a threshold, where two tie, the one below it."""
        return self.winners[int(np.searchsorted(self.thresholds, gamma))]


def envelope(
    forest: Forest, scores: Scores, direction: Scores, *, low: float = -np.inf, high: float = np.inf
) -> Envelope:
    """Return the best derivation under `scores + gamma * direction`, exactly, for every gamma in low..high.

    One pass over the edges, O(edges * envelope size) (Macherey et al. 2008; Kumar et al. 2009); see
    native forest/envelope.h. An empty forest, or a score that is not finite, is an InputError.
    """
    thresholds, slopes, intercepts, offsets, edges = _native.forest_envelope(
        forest.native, edge_scores(forest, scores), edge_scores(forest, direction), low, high
    )
    return Envelope(thresholds, slopes, tuple(derivations_of(forest, intercepts, offsets, edges)))
