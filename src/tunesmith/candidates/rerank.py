"""Reranking: weights and candidate lists in, the best candidate of each list out."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from tunesmith.candidates.pool import Pool, first_maximum
from tunesmith.errors import InputError, suggest
from tunesmith.files import PathLike
from tunesmith.types import FloatArray, IntArray
from tunesmith.weights import Weights

__all__ = [
    "GivenWeights",
    "Reranked",
    "align_weights",
    "read_weights",
    "rerank",
    "score_candidates",
    "unused_weights",
]


@dataclass(frozen=True, repr=False)
class Reranked:
    """The best candidates: their position in their list, row in the pool, text and model score.

    `unused` are the names of weights whose features do not occur in the pool.
    """

    indices: IntArray
    rows: IntArray
    texts: list[str]
    scores: FloatArray
    unused: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Reranked: {len(self.rows)} lists>"


GivenWeights: TypeAlias = Mapping[str, float] | FloatArray | PathLike
"""Weights by name, an array in the order of the features, or the path of a weights file."""


def rerank(pool: Pool, weights: GivenWeights, threads: int | None = None) -> Reranked:
    """Choose the candidate with the highest model score from each list; ties go to the first.

    Weights that are zero for all features of the pool are an InputError.
    """
    weights = read_weights(weights)
    scores = score_candidates(pool, weights, threads)
    rows = first_maximum(scores, pool.offsets)
    texts = [] if pool.texts is None else list(pool.texts.take(rows))
    return Reranked(rows - pool.offsets[:-1], rows, texts, scores[rows], unused_weights(pool, weights))


def read_weights(weights: GivenWeights) -> Mapping[str, float] | FloatArray:
    """Return weights as they are, or those of the file that a path names."""
    if isinstance(weights, str | os.PathLike):
        return Weights.read(weights)
    if isinstance(weights, Mapping | np.ndarray):
        return weights
    raise InputError(
        "expected weights by name, an array of weights or the path of a weights file,"
        f" found {type(weights).__name__}"
    )


def score_candidates(
    pool: Pool, weights: Mapping[str, float] | FloatArray, threads: int | None = None
) -> FloatArray:
    """Return the model score of every candidate; weights of zero are an InputError, as in `rerank`."""
    vector = align_weights(pool, weights)
    if not vector.any():
        raise InputError("the weights of all features of these candidates are zero: nothing to rank by")
    return pool.features.dot(vector, threads)


def align_weights(pool: Pool, weights: Mapping[str, float] | FloatArray) -> FloatArray:
    """Return the weights in the order of the pool's features.

    A feature that all candidates have must have a weight. The weight of a sparse feature defaults to 0,
    and if the pool has sparse features, weights may name features that do not occur in it.
    """
    if isinstance(weights, np.ndarray):
        return _check_vector(pool, np.asarray(weights, dtype=np.float64))
    named = weights if isinstance(weights, Weights) else Weights(weights)
    dense = pool.features.dense
    for name, everywhere in zip(pool.feature_names, dense.tolist(), strict=True):
        if everywhere and name not in named:
            raise InputError(f"no weight for feature {name!r}, which all candidates have")
    unused = unused_weights(pool, named)
    if unused and dense.all():
        hint = suggest(unused[0], pool.feature_names)
        raise InputError(f"unknown feature {unused[0]!r} in the weights{hint}")
    return np.array([named.get(name, 0.0) for name in pool.feature_names], dtype=np.float64)


def unused_weights(pool: Pool, weights: Mapping[str, float] | FloatArray) -> tuple[str, ...]:
    """Return the names of weights whose features do not occur in the pool."""
    if isinstance(weights, np.ndarray):
        return ()
    known = set(pool.feature_names)
    return tuple(name for name in weights if name not in known)


def _check_vector(pool: Pool, vector: FloatArray) -> FloatArray:
    if vector.shape != (pool.features.width,):
        raise InputError(f"expected {pool.features.width} weights, found an array of shape {vector.shape}")
    finite = np.isfinite(vector)
    if not finite.all():
        place = int(np.argmin(finite))
        name = pool.feature_names[place]
        raise InputError(f"the weight of {name!r} is {vector[place]}; expected a finite number")
    return vector
