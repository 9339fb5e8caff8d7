"""Starts of line searches: optima of a smooth approximation of the metric, from blurred to sharp."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tunesmith.objectives.base import SmoothObjective
from tunesmith.objectives.geometry import Geometry
from tunesmith.objectives.line_objective import LineObjective
from tunesmith.optimizers.space import Space
from tunesmith.threads import one_blas_thread
from tunesmith.types import BoolArray, FloatArray

__all__ = ["SPREADS", "Blurred", "smooth_starts"]

BLURRED = 1.0
"""Spread of scores within a list at which the guide is minimized first."""

SPREADS = (4.0, 16.0, 64.0)
"""The spreads that follow in turn; their optima are the starts."""

ITERATIONS = 30
"""Iterations of L-BFGS per spread: a start need not be exact."""

TOLERANCE = 1e-6
"""Relative gain below which an iteration is the last."""


def smooth_starts(guide: SmoothObjective, objective: LineObjective, space: Space) -> list[FloatArray]:
    """Return the optima of the guide at each spread of scores, each found from the one before.

    The corpus metric has many local optima. Expected statistics have only the large ones at a small spread of
    scores, and almost all of them at a large one: following the optimum from small to large spreads (Smith
    and Eisner 2006) finds better optima than random starts. The first search begins at the start of the
    space, or if that is zero at the least-squares fit of the metric. Penalties are ignored; optima outside
    the bounds are projected onto them, and skipped if that gives zero.
    """
    from scipy.optimize import minimize  # it takes long to import

    geometry, everything = (objective.geometry(each) for each in (space.free, np.ones_like(space.free)))
    weights = space.start if space.start[space.free].any() else space.project(geometry.slope)
    size = everything.spread(weights)
    point = geometry.color(np.where(space.free, weights, 0.0)) / (size or 1.0)
    if not point.any():
        return []
    rest = weights / size - geometry.whiten(point)
    starts: list[FloatArray] = []
    for spread in (BLURRED, *SPREADS):
        blurred = Blurred(guide, geometry, everything, space.free, rest, spread)
        with one_blas_thread():
            found = minimize(
                blurred.loss_and_gradient,
                point,
                jac=True,
                method="L-BFGS-B",
                options={"maxiter": ITERATIONS, "ftol": TOLERANCE, "gtol": 0.0},
            )
        if not np.isfinite(found.x).all():  # many features, sharp distributions: steps can overflow
            break
        point = found.x
        starts.append(space.project(size * blurred.weights(point)))
    return [start for start in starts[1:] if start[space.free].any()]


@dataclass(frozen=True, eq=False)
class Blurred:
    """The guide at a fixed spread of scores, as a function of points u: weights are S^-1/2 u + `rest`.

    All directions of u change scores equally, and the norm of the weights has no effect. `rest` are the
    frozen weights, and the part outside the range of S^-1/2.
    """

    guide: SmoothObjective
    geometry: Geometry
    """Of the free features."""
    everything: Geometry
    free: BoolArray
    rest: FloatArray
    spread: float

    def weights(self, point: FloatArray) -> FloatArray:
        """Return the weights of a point."""
        return self.rest + self.geometry.whiten(point)

    def loss_and_gradient(self, point: FloatArray) -> tuple[float, FloatArray]:
        """Return the guide's loss and its gradient by u."""
        weights = self.weights(point)
        colored = self.everything.color(weights)
        size = float(np.linalg.norm(colored))
        if not size > 0:
            return np.inf, np.zeros_like(point)
        scale = self.spread / size
        loss, slope = self.guide.loss_and_gradient(scale * weights)
        slope = scale * (slope - (slope @ weights) / size**2 * self.everything.color(colored))
        return loss, self.geometry.whiten(np.where(self.free, slope, 0.0))
