"""Results and inputs that must not pass as success."""

from __future__ import annotations

import numpy as np

from tunesmith.candidates.pool import Pool
from tunesmith.errors import DegenerateError
from tunesmith.metrics.base import Metric
from tunesmith.tune.recipe import Solution

__all__ = ["refuse_degenerate", "refuse_hopeless"]

EXPLODED = 1e9


def refuse_hopeless(pool: Pool, metric: Metric, threads: int) -> None:
    """Raise if no weights can make a difference: all candidates of every list are worth the same."""
    if (np.diff(pool.offsets) == 1).all():
        raise DegenerateError("nothing to learn: every list has one candidate only")
    stats = pool.stats(metric, threads)
    first = np.repeat(stats[pool.offsets[:-1]], np.diff(pool.offsets), axis=0)
    if np.array_equal(stats, first):
        raise DegenerateError(f"nothing to learn: within every list all {metric.name} statistics are equal")


def refuse_degenerate(method: str, solution: Solution) -> None:
    """Raise if weights are NaN, exploded or all zero, or the method's own objective did not improve."""
    weights = solution.weights
    if not np.isfinite(weights).all() or not np.isfinite(solution.loss):
        raise DegenerateError(
            f"{method} ended in weights or a loss that are not finite numbers; scale the features"
        )
    if np.abs(weights).max(initial=0.0) > EXPLODED:
        largest = f"{np.abs(weights).max():.3g}"
        raise DegenerateError(f"{method} ended in exploding weights (up to {largest}); raise l2")
    if not weights.any():
        raise DegenerateError(f"{method} ended in weights that are all zero; lower the penalties")
    if not solution.loss < solution.start_loss:
        raise DegenerateError(
            f"{method} did not improve its own objective ({solution.start_loss:.6g} to {solution.loss:.6g}): "
            "the start weights are as good as any that it finds, or the features say nothing about the metric"
        )
