"""The corpus metric of the best derivations of forests, with an exact profile along any line."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from tunesmith import _native
from tunesmith.candidates.pool import Pool
from tunesmith.errors import InputError
from tunesmith.forest.pool import ForestPool
from tunesmith.forest.store import MEMORY, store_forests
from tunesmith.metrics.base import Metric, Segments
from tunesmith.objectives.base import OBJECTIVES
from tunesmith.objectives.corpus_error import corpus_loss
from tunesmith.objectives.forests.lists import best_lists, even_draws
from tunesmith.objectives.line_objective import (
    EVERYWHERE,
    Direction,
    EvaluatedPoint,
    LineObjective,
    LineRange,
    Profile,
    vector_of,
)
from tunesmith.texts import Texts
from tunesmith.types import FloatArray

__all__ = ["LIST_SIZE", "ForestError"]

LIST_SIZE = 100
"""Size of n-best lists, per forest, for geometry and smooth guides."""

DRAWS = 20
"""Number of derivations drawn per forest to compute the loss of zero weights."""


@OBJECTIVES.register("forest-error")
@dataclass(frozen=True, eq=False)
class ForestError(LineObjective):
    """loss(w) = -gain(sum over forests of the statistics of the derivation that w ranks first).

    The profile along a line is exact over all derivations of the forests (Macherey et al. 2008; Kumar et
    al. 2009): O(edges * envelope size) per line, on `threads` threads. Each distinct winning string is
    measured once. Forests of a file that exceed `memory` are decompressed for each line.

    Zero weights rank nothing: their loss is of uniformly drawn derivations. `around` are the weights of the
    n-best lists whose geometry determines search directions.
    """

    learns_from: ClassVar[type[Pool] | type[ForestPool]] = ForestPool

    forests: ForestPool
    metric: Metric
    threads: int = 1
    seed: int = 1
    around: FloatArray | None = None
    memory: int | str = MEMORY

    @classmethod
    def build(
        cls, forests: ForestPool, metric: Metric, *, seed: int = 1, threads: int = 1, **options: Any
    ) -> Self:
        return cls(forests, metric, threads, seed, **options)

    def loss(self, weights: FloatArray) -> float:
        if not weights.any():
            return corpus_loss(self._draws, self.metric, weights, self.threads)
        return -self.evaluate(weights).gain

    def evaluate(self, weights: FloatArray) -> EvaluatedPoint:
        """Return the evaluated point of these weights, with the scores of all edges."""
        scores = self.scores(weights)
        profile = self._measured(self._profile.at(scores, self.threads))
        return EvaluatedForestPoint(float(profile.gains[0]), self, scores)

    def scores(self, weights: FloatArray) -> FloatArray:
        """Return the scores of the edges of all forests."""
        return self._profile.scores(np.ascontiguousarray(weights, dtype=np.float64), self.threads)

    def along(self, scores: FloatArray, direction: Direction, within: LineRange = EVERYWHERE) -> Profile:
        """Return the profile along a line from the point with these edge scores."""
        return self._measured(self.winners(scores, direction, within))

    def winners(
        self, scores: FloatArray, direction: Direction, within: LineRange = EVERYWHERE
    ) -> _native.LineWinners:
        """Return the strings that win along a line."""
        vector = vector_of(direction, len(self.forests.feature_names))
        return self._profile.along(scores, vector, *within, self.threads)

    @property
    def strings(self) -> int:
        """Number of distinct strings measured so far."""
        return self._profile.yield_count

    @cached_property
    def lists(self) -> Pool:
        """The n-best translations of each forest at `around`, or random ones without such weights."""
        if self.around is None or not self.around.any():
            return self._draws
        return best_lists(self.forests, self.around, LIST_SIZE, threads=self.threads)

    @property
    def bytes_per_edge(self) -> float:
        """Bytes per edge, including forests that are not in memory."""
        return self.store.bytes / self.store.edge_count

    def prepare(self) -> None:
        """Load the forests."""
        _ = self._profile

    def _measured(self, found: _native.LineWinners) -> Profile:
        """Measure new strings, and return the profile of all."""
        sentences = found.sentences
        if len(sentences):
            references = [reference.take(sentences) for reference in self.forests.references]
            segments = Segments(Texts(*found.texts()), found.lists, references)
            stats = np.ascontiguousarray(self.metric.measure(segments, self.threads), dtype=np.float64)
            if not np.isfinite(stats).all():
                row = int(np.argmin(np.isfinite(stats).all(axis=1)))
                name = self.forests.ids[int(sentences[np.searchsorted(found.lists, row, side="right") - 1])]
                raise InputError(f"sentence {name!r}: {self.metric.name} measures {stats[row].tolist()}")
            self._profile.add(found, stats)
        return Profile(*self._profile.profile(found))

    @cached_property
    def _draws(self) -> Pool:
        return even_draws(self.forests, DRAWS, seed=self.seed, threads=self.threads)

    @cached_property
    def store(self) -> _native.ForestStore:
        """The forests, in memory as far as they fit."""
        return store_forests(self.forests, self.memory, self.threads)

    @cached_property
    def _profile(self) -> _native.ForestProfile:
        return _native.ForestProfile(self.store, self.metric.scorer())

    def __getstate__(self) -> dict[str, object]:
        # Cached objects are rebuilt when needed.
        return {field.name: getattr(self, field.name) for field in fields(self)}


@dataclass(frozen=True, eq=False)
class EvaluatedForestPoint(EvaluatedPoint):
    """A point with the scores of the edges of all forests."""

    objective: ForestError
    scores: FloatArray

    def along(self, direction: Direction, within: LineRange = EVERYWHERE) -> Profile:
        return self.objective.along(self.scores, direction, within)
