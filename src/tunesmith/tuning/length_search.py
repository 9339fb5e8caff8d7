"""A line search along the length of candidates, for methods that rank by sentence scores."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np

from tunesmith import _native
from tunesmith.candidates.pool import Pool
from tunesmith.metrics.base import Metric
from tunesmith.metrics.bleu import Bleu
from tunesmith.metrics.combined import Combined
from tunesmith.objectives.line_objective import LineRange, Profile
from tunesmith.optimizers.line_step import range_along
from tunesmith.threads import one_blas_thread
from tunesmith.tuning.run import Run, Solution
from tunesmith.types import BoolArray, FloatArray, Stats

__all__ = ["length_direction", "lengths_of", "searched_length", "steady_steps"]

FITTED = 100_000
"""Number of candidates that the direction is fitted to: it has at most some thousands of weights."""
FITTING_STEPS = 100
"""Maximum steps of the fit, which is exact after as many steps as there are features."""
LEAST_FIT = 0.5
"""Share of the variance of lengths within lists that features must explain; a word penalty explains all."""
CLOSE = 0.001
"""A tenth of a point of BLEU. On lists of Moses, of Multi30k and of Japanese-English, tuned on an eighth and
judged by the rest, 0.0005 to 0.002 are equally good, and 0.1 better than the best point on the first."""
TOLERANCE = 1e-10
"""The fit ends when its residual, or the gradient of it, is this small in relation to the data."""


def searched_length(run: Run[Pool], found: Solution) -> Solution:
    """Return the solution moved to the length at which the corpus metric of the lists is best (ours).

    Sums of sentence scores favor another length than the corpus score: the sentence BLEU of a short and safe
    candidate is high, but a corpus of them pays the brevity penalty. So the weights move along the direction
    that adds to scores in proportion to the number of words; how candidates of the same length are ranked
    stays as learned. The metric along this line is exact, and the move goes to the middle of the part in
    which it is within `CLOSE` of its best, which is steadier than the best point itself; to the best point if
    the middle is in a valley, below that.

    Bounds hold, frozen weights stay, penalties do not count, and the loss remains that of the learned
    weights. Where features hardly determine the length (see `LEAST_FIT`), or the metric has no BLEU, whose
    statistics contain the lengths, the solution stays as it is. O(fitting steps * nonzeros), and one envelope
    per list.
    """
    pool, metric, space = run.data, run.metric, run.space
    stats = pool.stats(metric, run.threads)
    lengths = lengths_of(metric, stats)
    if lengths is None or not found.weights.any():
        return found
    direction = length_direction(pool, lengths, space.free)
    if not direction.any():
        return found
    searcher = _searcher(pool, metric, stats, run.threads)
    scores, slopes = (pool.features.dot(each, run.threads) for each in (found.weights, direction))
    profile = Profile(*searcher.along(scores, slopes))
    before = searcher.gain(searcher.winners(scores))
    steps = []
    for bonus in steady_steps(profile, range_along(found.weights, direction, space)):
        weights = space.project(found.weights + bonus * direction)
        reached = searcher.gain(searcher.winners(pool.features.dot(weights, run.threads)))
        steps.append((reached, bonus, weights))
    best = max((step[0] for step in steps), default=before)
    for reached, bonus, weights in steps:
        if weights.any() and reached > before and reached >= best - CLOSE:
            return dataclasses.replace(found, weights=weights).noting(length_bonus=bonus)
    return found.noting(length_bonus=0.0)


def steady_steps(profile: Profile, limits: LineRange) -> Iterator[float]:
    """Yield the middle of the part of a line that is within `CLOSE` of the best gain, then the best point."""
    ends = np.concatenate([profile.thresholds[:1] - 1.0, profile.thresholds, profile.thresholds[-1:] + 1.0])
    if len(ends) == 0:
        return
    left, right = np.clip(ends[:-1], *limits), np.clip(ends[1:], *limits)
    gains = np.where(right > left, profile.gains, -np.inf)
    best = int(np.argmax(gains))
    close = gains >= gains[best] - CLOSE
    yield 0.5 * (float(left[close].min()) + float(right[close].max()))
    yield 0.5 * (float(left[best]) + float(right[best]))


def length_direction(pool: Pool, lengths: FloatArray, free: BoolArray) -> FloatArray:
    """Return the weights whose scores are nearest to the lengths, both relative to the mean of their list.

    They are the least-squares solution of the smallest norm, by LSQR (Paige and Saunders 1982): with a word
    penalty among the features, -1 for this feature and 0 for others. All are 0 if the fit explains less than
    `LEAST_FIT` of the variance: then no direction stands for length. Of large pools evenly spaced lists are
    fitted, about `FITTED` candidates.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.linalg import lsqr

    chosen = max(1, min(len(pool), FITTED * len(pool) // pool.n_candidates))
    lists = np.unique(np.linspace(0, len(pool) - 1, chosen).astype(np.int64))
    sizes = np.diff(pool.offsets)[lists]
    begins = np.cumsum(sizes) - sizes
    rows = np.repeat(pool.offsets[lists] - begins, sizes) + np.arange(sizes.sum())
    taken = pool.features.take(rows)
    shape = (len(rows), taken.width)
    features: Any = csr_array((taken.values * free[taken.columns], taken.columns, taken.offsets), shape=shape)
    member: Any = csr_array((np.ones(len(rows)), np.arange(len(rows)), np.append(begins, len(rows))))
    within = lengths[rows] - np.repeat(np.add.reduceat(lengths[rows], begins) / sizes, sizes)
    means = (member @ features).multiply((1.0 / sizes)[:, None])
    centered = (features - member.T @ means).tocsr()
    with one_blas_thread():
        found: FloatArray = lsqr(centered, within, atol=TOLERANCE, btol=TOLERANCE, iter_lim=FITTING_STEPS)[0]
        left = within - centered @ found
        fits = float(left @ left) <= (1.0 - LEAST_FIT) * float(within @ within)
    return np.where(free & fits, found, 0.0)


def _searcher(pool: Pool, metric: Metric, stats: Stats, threads: int) -> _native.CorpusProfile:
    """Return the search of the corpus metric along directions; no features, whose axes are not searched."""
    empty = np.zeros(pool.n_candidates + 1, dtype=np.int64), np.empty(0, dtype=np.int32), np.empty(0)
    return _native.CorpusProfile(
        pool.offsets, *empty, 0, np.ascontiguousarray(stats), metric.scorer(), threads
    )


def lengths_of(metric: Metric, stats: Stats) -> FloatArray | None:
    """Return the words per candidate, from the statistics of the first BLEU in a metric; None without one."""
    if isinstance(metric, Bleu):
        return np.ascontiguousarray(stats[..., 1])
    begin = 0
    for part in metric.parts if isinstance(metric, Combined) else ():
        found = lengths_of(part, stats[..., begin : begin + part.width])
        if found is not None:
            return found
        begin += part.width
    return None
