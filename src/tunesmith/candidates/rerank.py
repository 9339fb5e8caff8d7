"""Reranking: weights and candidate lists in, the best candidate of each list out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tunesmith.candidates.pool import Pool, first_maximum
from tunesmith.errors import InputError, suggest
from tunesmith.types import FloatArray, IntArray
from tunesmith.weights import Weights

__all__ = ["Reranked", "align_weights", "rerank"]


@dataclass(frozen=True)
class Reranked:
    """The best candidates: their place in their list, their row in the pool, texts and model scores."""

    indices: IntArray
    rows: IntArray
    texts: list[str]
    scores: FloatArray


def rerank(pool: Pool, weights: Mapping[str, float] | FloatArray, threads: int | None = None) -> Reranked:
    """Choose the candidate with the largest model score from each list; of equal ones the first."""
    scores = pool.features.dot(align_weights(pool, weights), threads)
    rows = first_maximum(scores, pool.offsets)
    texts = [] if pool.texts is None else list(pool.texts.take(rows))
    return Reranked(rows - pool.offsets[:-1], rows, texts, scores[rows])


def align_weights(pool: Pool, weights: Mapping[str, float] | FloatArray) -> FloatArray:
    """Return the weights in the order of the pool's features.

    A feature that all candidates have must have a weight. A sparse one without a weight counts
    as zero, and where the pool has sparse features a weight may name one that never fires in it.
    """
    if isinstance(weights, np.ndarray):
        return np.asarray(weights, dtype=np.float64)
    named = weights if isinstance(weights, Weights) else Weights(weights)
    dense = pool.features.dense
    for name, everywhere in zip(pool.feature_names, dense.tolist(), strict=True):
        if everywhere and name not in named:
            raise InputError(f"no weight for feature {name!r}, which all candidates have")
    known = set(pool.feature_names)
    unknown = [name for name in named if name not in known]
    if unknown and dense.all():
        raise InputError(f"unknown feature {unknown[0]!r} in the weights{suggest(unknown[0], known)}")
    return np.array([named.get(name, 0.0) for name in pool.feature_names], dtype=np.float64)
