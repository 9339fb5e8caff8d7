"""Sampled lists for Plackett-Luce: the best, the worst, and draws from the model (Xia et al. 2019)."""

from __future__ import annotations

import numpy as np

from tunesmith import _native
from tunesmith.candidates.pool import Pool
from tunesmith.objectives.plackett_luce import rank
from tunesmith.types import BoolArray, FloatArray, IntArray

__all__ = ["resample", "richness"]


def richness(pool: Pool, free: BoolArray | None = None, among: IntArray | None = None) -> float:
    """Return r = number of features / average size of a list (equation 5 of the paper).

    `free`: mask of the features that are tuned; frozen ones do not count. `among`: rows of the candidates
    that are used; all by default.
    """
    features = len(pool.feature_names) if free is None else int(np.count_nonzero(free))
    return features * len(pool) / (pool.n_candidates if among is None else len(among))


def resample(
    pool: Pool,
    gains: FloatArray,
    weights: FloatArray,
    size: int,
    *,
    seed: int,
    round_: int,
    threads: int = 1,
    among: IntArray | None = None,
) -> IntArray:
    """Return the sorted rows of `size` candidates per list, or all of a shorter list.

    A third, rounded down, are the best by gain and a third the worst, ties in random order; the rest is drawn
    without replacement from p(e) = exp(score(e)) / Z of the others, by the largest score plus Gumbel noise.
    Candidates are chosen `among` these sorted rows, by default all. The sample of a list depends on (seed,
    round, number of the list). O(candidates log candidates).
    """
    rows = np.arange(pool.n_candidates) if among is None else among
    offsets = np.searchsorted(rows, pool.offsets).astype(np.int64)
    ties, noise = np.random.SeedSequence([seed, round_]).generate_state(2, np.uint64).tolist()
    sizes = np.diff(offsets)
    lists, length = np.repeat(np.arange(len(pool)), sizes), np.repeat(sizes, sizes)
    place = np.arange(len(rows)) - offsets[lists]

    position = np.empty(len(rows), dtype=np.int64)
    position[rank(offsets, gains[rows], ties)] = place
    extreme = (position < size // 3) | (position >= length - size // 3)

    scores = pool.features.dot(weights, threads)[rows]
    keys = scores - np.log(-np.log(_native.list_uniforms(offsets, noise)))
    keys[extreme] = np.inf
    chosen = np.lexsort((-keys, lists))[place < size]
    return rows[np.sort(chosen)].astype(np.int64)
