"""Results and inputs that must not pass as success."""

from __future__ import annotations

import numpy as np

from tunesmith.candidates.pool import Pool, first_maximum
from tunesmith.errors import DegenerateError
from tunesmith.metrics.base import Metric
from tunesmith.tuning.method import Solution
from tunesmith.types import BoolArray, FloatArray

__all__ = ["refuse_degenerate", "refuse_hopeless", "refuse_infinite", "refuse_useless"]

EXPLODED = 1e9


def refuse_hopeless(pool: Pool, metric: Metric, free: BoolArray, threads: int) -> None:
    """Raise if no weights can make a difference."""
    if (np.diff(pool.offsets) == 1).all():
        raise DegenerateError("nothing to learn: every list has one candidate only")
    stats = pool.stats(metric, threads)
    first = np.repeat(stats[pool.offsets[:-1]], np.diff(pool.offsets), axis=0)
    if np.array_equal(stats, first):
        raise DegenerateError(f"nothing to learn: within every list all {metric.name} statistics are equal")
    if not _varies(pool, free, threads):
        raise DegenerateError("nothing to learn: no feature that may move varies within any list")
    oracle = first_maximum(metric.sentence_gain(stats), pool.offsets)
    if metric.higher_is_better and float(metric.score(stats[oracle].sum(axis=0))) == 0.0:
        raise DegenerateError(
            f"nothing to learn: {metric.name} of the best candidates is 0; for short or few sentences "
            "try bleu(order=2) or chrf, and check that the references belong to these candidates"
        )


def refuse_degenerate(method: str, solution: Solution) -> None:
    """Raise if weights cannot be used, or the method's own objective did not improve."""
    refuse_useless(method, solution.weights)
    refuse_infinite(method, solution)
    if not solution.loss < solution.start_loss:
        losses = f"{solution.start_loss:.6g} to {solution.loss:.6g}"
        raise DegenerateError(
            f"{method} did not improve its own objective ({losses}): the start weights are as good as any "
            "that it finds, or the features say nothing about the metric"
        )


def refuse_infinite(method: str, solution: Solution) -> None:
    """Raise if the loss is not a number, or has no bound."""
    if not np.isfinite(solution.loss):
        raise DegenerateError(f"{method} ended in a loss that is not finite; scale the features")


def refuse_useless(method: str, weights: FloatArray) -> None:
    """Raise if weights are NaN, exploded or all zero."""
    if not np.isfinite(weights).all():
        raise DegenerateError(f"{method} ended in weights that are not finite; scale the features")
    if np.abs(weights).max(initial=0.0) > EXPLODED:
        largest = f"{np.abs(weights).max():.3g}"
        raise DegenerateError(f"{method} ended in exploding weights (up to {largest}); raise l2")
    if not weights.any():
        raise DegenerateError(
            f"{method} ended in weights that are all zero: bounds or penalties leave room for nothing else, "
            "or nothing better was found; loosen them, or try another method"
        )


def _varies(pool: Pool, free: BoolArray, threads: int) -> bool:
    """Whether any free feature differs between candidates of a list: random weights tell them apart."""
    weights = np.where(free, np.random.default_rng(0).standard_normal(len(free)), 0.0)
    scores = pool.features.dot(weights, threads)
    first = np.repeat(scores[pool.offsets[:-1]], np.diff(pool.offsets))
    return bool(np.any(np.abs(scores - first) > 1e-12 * (1e-300 + np.abs(first))))
