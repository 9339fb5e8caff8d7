"""What one optimization learns from, be it candidate lists or forests."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.candidates.pool import Pool
from tunesmith.errors import DegenerateError
from tunesmith.forest.forest import Forest
from tunesmith.forest.pool import ForestPool
from tunesmith.forest.threads import map_forests
from tunesmith.forest.viterbi import viterbi
from tunesmith.metrics.base import Metric, Segments
from tunesmith.optimizers.space import Space
from tunesmith.tuning.degenerate import refuse_hopeless
from tunesmith.tuning.forest_recipe import ForestRecipe, ForestTask
from tunesmith.tuning.history import Journal
from tunesmith.tuning.method import Solution
from tunesmith.tuning.recipe import Recipe, Task
from tunesmith.types import FloatArray, Stats

__all__ = ["ForestGround", "Ground", "ListGround"]


@dataclass(frozen=True)
class Ground(ABC):
    """A pool, and the method that learns from it; arrays of weights have the order of `names`."""

    pool: Pool | ForestPool
    recipe: Recipe | ForestRecipe
    threads: int

    @property
    def names(self) -> tuple[str, ...]:
        """The features."""
        return self.pool.feature_names

    @property
    def lists(self) -> int:
        """The number of sentences."""
        return len(self.pool)

    @abstractmethod
    def check(self, metric: Metric, space: Space) -> None:
        """Raise DegenerateError if no weights can make a difference."""

    @abstractmethod
    def learn(self, metric: Metric, space: Space, seed: int, journal: Journal) -> Solution:
        """Run the method."""

    @abstractmethod
    def best_stats(self, metric: Metric, weights: FloatArray) -> Stats:
        """Return the statistics of the translations that weights prefer, a row a sentence."""

    @abstractmethod
    def first_stats(self, metric: Metric, space: Space) -> Stats:
        """Return those that were preferred before: first candidates, or what the start weights prefer."""

    @abstractmethod
    def arrays(self, metric: Metric) -> Sequence[npt.NDArray[Any]]:
        """Return all that a result depends on, but for names."""

    def score(self, metric: Metric, weights: FloatArray) -> float:
        """Return the metric of the translations that weights prefer."""
        return float(metric.score(self.best_stats(metric, weights).sum(axis=0)))


@dataclass(frozen=True)
class ListGround(Ground):
    """Candidate lists."""

    pool: Pool
    recipe: Recipe

    def check(self, metric: Metric, space: Space) -> None:
        refuse_hopeless(self.pool, metric, space.free, self.threads)

    def learn(self, metric: Metric, space: Space, seed: int, journal: Journal) -> Solution:
        return self.recipe.run(Task(self.pool, metric, space, seed, self.threads, journal))

    def best_stats(self, metric: Metric, weights: FloatArray) -> Stats:
        return self.pool.stats(metric, self.threads)[self.pool.best(weights, self.threads)]

    def first_stats(self, metric: Metric, space: Space) -> Stats:
        return self.pool.stats(metric, self.threads)[self.pool.offsets[:-1]]

    def arrays(self, metric: Metric) -> Sequence[npt.NDArray[Any]]:
        pool, features = self.pool, self.pool.features
        stats = pool.stats(metric, self.threads)
        return [pool.offsets, features.offsets, features.columns, features.values, stats]


@dataclass(frozen=True)
class ForestGround(Ground):
    """Forests; a translation is the best derivation's, so each score is a pass over all of them."""

    pool: ForestPool
    recipe: ForestRecipe

    def check(self, metric: Metric, space: Space) -> None:
        if all(np.diff(forest.native.edge_offsets).max() <= 1 for forest in self.pool.forests):
            raise DegenerateError("nothing to learn: every forest has one derivation only")
        if metric.ngram_order and not any(map(self._has_match, range(len(self.pool)))):
            raise DegenerateError(
                "nothing to learn: no forest has a word of its references; check that these belong to it"
            )

    def _has_match(self, sentence: int) -> bool:
        forest = self.pool.forests[sentence]
        targets = np.unique(forest.native.targets)
        words = {forest.words[number] for number in targets[targets >= 0].tolist()}
        return any(words.intersection(text.split()) for text in self.pool.references_of(sentence))

    def learn(self, metric: Metric, space: Space, seed: int, journal: Journal) -> Solution:
        return self.recipe.run(ForestTask(self.pool, metric, space, seed, self.threads, journal))

    def best_stats(self, metric: Metric, weights: FloatArray) -> Stats:
        def text(forest: Forest) -> str:
            return viterbi(forest, self.pool.scores(forest, weights)).text

        texts = map_forests(text, self.pool.forests, threads=self.threads)
        return metric.measure(Segments.of(texts, self.pool.references), self.threads)

    def first_stats(self, metric: Metric, space: Space) -> Stats:
        return self.best_stats(metric, space.start)

    def arrays(self, metric: Metric) -> Sequence[npt.NDArray[Any]]:
        digests = [_digest(forest) for forest in self.pool.forests]
        references = [array for text in self.pool.references for array in (text.offsets, text.blob)]
        return [np.frombuffer(b"".join(digests), dtype=np.uint8), *references]


def _digest(forest: Forest) -> bytes:
    """Return a digest of a forest, its words and features by name: numbers mean nothing without them."""
    native, digest = forest.native, hashlib.blake2b(digest_size=16)
    digest.update(repr(forest.feature_names).encode())
    digest.update(forest.words.offsets.tobytes() + forest.words.blob.tobytes())
    for array in (
        native.edge_offsets,
        native.tail_offsets,
        native.tails,
        native.edge_rules,
        native.target_offsets,
        native.targets,
        native.rule_feature_offsets,
        native.rule_feature_columns,
        native.rule_feature_values,
        native.edge_feature_offsets,
        native.edge_feature_columns,
        native.edge_feature_values,
    ):
        digest.update(np.ascontiguousarray(array).data)
    return digest.digest()
