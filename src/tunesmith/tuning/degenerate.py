"""Refuses results that must not be used; `TrainingData` refuses data that cannot lead to one."""

from __future__ import annotations

import numpy as np

from tunesmith.errors import DegenerateError
from tunesmith.tuning.run import Solution
from tunesmith.types import FloatArray

__all__ = ["refuse_broken", "refuse_degenerate", "refuse_infinite", "refuse_useless"]

EXPLODED = 1e9


def refuse_degenerate(method: str, solution: Solution) -> None:
    """Raise if weights cannot be used, or the method's own objective did not improve.

    Whether the start weights can be used instead is for the caller to decide first.
    """
    refuse_broken(method, solution)
    if not solution.loss < solution.start_loss:
        raise DegenerateError(
            "{method} did not improve its own objective ({before:.6g} to {after:.6g}), and there are no start"
            " weights to keep; give some by {}, such as those that made the lists, loosen bounds and"
            " penalties, or try another method; the features may be unrelated to the metric",
            "start",
            method=method,
            before=solution.start_loss,
            after=solution.loss,
        )
    refuse_useless(method, solution.weights)


def refuse_broken(method: str, solution: Solution) -> None:
    """Raise if the weights are NaN or exploded, or the loss is NaN or infinite."""
    _refuse_unusable(method, solution.weights)
    refuse_infinite(method, solution)


def refuse_infinite(method: str, solution: Solution) -> None:
    """Raise if the loss is NaN or infinite."""
    if not np.isfinite(solution.loss):
        raise DegenerateError(f"{method} ended in a loss that is not finite; scale the features")


def refuse_useless(method: str, weights: FloatArray) -> None:
    """Raise if weights are NaN, exploded or all zero."""
    _refuse_unusable(method, weights)
    if not weights.any():
        raise DegenerateError(
            f"{method} ended in weights that are all zero: bounds or penalties allow nothing else, "
            "or nothing better was found; loosen them, or try another method"
        )


def _refuse_unusable(method: str, weights: FloatArray) -> None:
    if not np.isfinite(weights).all():
        raise DegenerateError(f"{method} ended in weights that are not finite; scale the features")
    if np.abs(weights).max(initial=0.0) > EXPLODED:
        largest = f"{np.abs(weights).max():.3g}"
        raise DegenerateError(
            "{method} ended in exploding weights (up to {largest}); raise {}",
            "l2",
            method=method,
            largest=largest,
        )
