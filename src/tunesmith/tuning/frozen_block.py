"""Frozen features as one feature with a free weight, so that learning can find the size of frozen weights."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np

from tunesmith.candidates.features import Features
from tunesmith.forest.combined import with_combined_feature
from tunesmith.forest.pool import ForestPool
from tunesmith.immutable import seal
from tunesmith.optimizers.space import Space
from tunesmith.tuning.score_spread import compared_lists, ranked_share
from tunesmith.tuning.standardize import spreads
from tunesmith.types import BoolArray, FloatArray, IntArray

__all__ = ["BLOCK", "FEW", "FrozenBlock"]

BLOCK = "frozen features"
"""The name of the feature that stands for the frozen ones."""

FEW = 0.1
"""Frozen weights that rank candidates in a smaller share of the lists say too little about their size, such
as the weight of unknown words, which most candidates of a sentence have in common."""

FLOOR = 1e-3
"""Least size of frozen weights, as a share of that at the start: without any, the free ones would be
infinitely large in comparison."""


@dataclass(frozen=True, eq=False)
class FrozenBlock:
    """Data and space with one feature f_0 = sum_j b_j f_j / |b| in place of the frozen features f_j.

    Rankings depend on the relation of free weights to the frozen weights b, but losses depend on the size of
    all: margins are compared with metric scores, and probabilities sharpen with the size. So the size must be
    learned: the weight v of f_0 is free, at least `FLOOR` of its start, and weights u of the free features
    beside it rank as w = u |b| / v beside b. A penalty on v is what it would be on the frozen weights at the
    learned size; |b| is of those that rank enough lists.
    """

    data: Any
    space: Space
    norm: float
    """|b|."""
    order: IntArray
    """The number of each feature of the data among the original ones; f_0 is the one after the last."""

    @classmethod
    def of(cls, data: Any, space: Space, threads: int = 1) -> FrozenBlock | None:
        """Return the block; None if no weights are frozen, or those that are rank too few lists."""
        if not space.holds_weights:
            return None
        pool = compared_lists(data, space.start, threads)
        if ranked_share(pool, space.held) < FEW:
            return None
        ranking = spreads(pool).shares >= FEW
        counted = space.held[ranking] if space.held[ranking].any() else space.held
        norm = float(np.linalg.norm(counted))
        seen = _with_block(data, space.held / norm, space.free)
        places = {name: place for place, name in enumerate((*data.feature_names, BLOCK))}
        order = np.array([places[name] for name in seen.feature_names], dtype=np.int64)
        return cls(seen, _space(space, norm, order), norm, order)

    @property
    def place(self) -> int:
        """The number of the new feature."""
        return int(np.argmax(self.order))

    def in_order(self, values: FloatArray, own: float) -> FloatArray:
        """Return values of the original features in the order of the data, and `own` of the new one."""
        return np.append(values, own)[self.order]

    def restored(self, weights: FloatArray, width: int) -> FloatArray:
        """Return weights of the `width` original features, 0 of frozen ones, beside these as given."""
        found = np.zeros(width)
        inside = self.order < width
        found[self.order[inside]] = weights[inside] * (self.norm / weights[self.place])
        return found


def _with_block(data: Any, weights: FloatArray, free: BoolArray) -> Any:
    """Return the data with the free features, and the score by `weights` as a feature of every candidate."""
    if isinstance(data, ForestPool):
        return with_combined_feature(data, weights, free, BLOCK)
    rows: Features = data.features
    scores, kept = rows.dot(weights), free[rows.columns]
    ends = np.concatenate([[0], np.cumsum(kept)])[rows.offsets[1:]]
    columns = np.insert(rows.columns[kept], ends, rows.width).astype(np.int32)
    values = np.insert(rows.values[kept], ends, scores)
    offsets = np.concatenate([[0], ends + np.arange(1, len(rows) + 1)]).astype(np.int64)
    features = Features((*rows.names, BLOCK), seal(offsets), seal(columns), values)
    return dataclasses.replace(data, features=features)


def _space(space: Space, norm: float, order: IntArray) -> Space:
    """Return the space of the features with the block; of bounds only the signs are left.

    Those of the free weights are relative to frozen ones, whose size is not known yet. Start weights are
    divided by the norm, so that nothing depends on it.
    """
    lower = np.where(space.lower >= 0, 0.0, -np.inf)
    upper = np.where(space.upper <= 0, 0.0, np.inf)
    return dataclasses.replace(
        space,
        start=np.append(np.where(space.free, space.start / norm, 0.0), 1.0)[order],
        lower=np.append(np.where(space.free, lower, 0.0), FLOOR)[order],
        upper=np.append(np.where(space.free, upper, 0.0), np.inf)[order],
        free=np.append(space.free, True)[order],
    )
