"""Candidate lists from forests, with features in the order of the forests."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tunesmith.candidates.features import Features
from tunesmith.candidates.pool import Pool
from tunesmith.forest.derivation import Derivation
from tunesmith.forest.forest import Forest
from tunesmith.forest.pool import ForestPool
from tunesmith.forest.sample import sample
from tunesmith.forest.threads import map_forests
from tunesmith.immutable import seal
from tunesmith.texts import Texts
from tunesmith.types import FloatArray

__all__ = ["best_lists", "even_draws"]


def best_lists(forests: ForestPool, weights: FloatArray, size: int, *, threads: int = 1) -> Pool:
    """Return the `size` best distinct translations of each forest under weights."""
    pool = forests.nbest(forests.weights(weights), size, threads=threads)
    return replace(pool, features=pool.features.renumbered(forests.feature_names))


def even_draws(forests: ForestPool, size: int, *, seed: int = 1, threads: int = 1) -> Pool:
    """Return `size` derivations per forest, drawn uniformly."""

    def draw(forest: Forest) -> list[Derivation]:
        return sample(forest, np.zeros(forest.edge_count), size, seed=seed, threads=1)

    drawn = [one for found in map_forests(draw, forests.forests, threads=threads) for one in found]
    rows = [sorted((forests.places[name], value) for name, value in one.features.items()) for one in drawn]
    features = Features(
        forests.feature_names,
        seal(np.cumsum([0, *map(len, rows)], dtype=np.int64)),
        seal(np.array([place for row in rows for place, _ in row], dtype=np.int32)),
        np.array([value for row in rows for _, value in row], dtype=np.float64),
    )
    lists = np.arange(len(forests) + 1, dtype=np.int64) * size
    texts = Texts.of(one.text for one in drawn)
    return Pool(forests.ids, seal(lists), features, texts=texts, references=forests.references)
