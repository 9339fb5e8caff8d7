"""Where to begin an exact line search: optima of a smooth relative of the metric, from blurred to sharp."""

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
"""The spread of scores within a list at which the guide is minimized first."""

SPREADS = (4.0, 16.0, 64.0)
"""The spreads that follow, one after the other; their optima are the starts."""

ITERATIONS = 30
"""Of L-BFGS at each spread: a start need not be exact."""

TOLERANCE = 1e-6
"""An iteration that gains less, relatively, is the last."""


def smooth_starts(guide: SmoothObjective, objective: LineObjective, space: Space) -> list[FloatArray]:
    """Return the optima of the guide at each spread of scores, each found from the one before.

    The corpus metric is full of small peaks. Expected statistics see only the large ones where scores differ
    little, and almost all of them where they differ much: whoever follows the optimum from one to the other
    (Smith and Eisner 2006) comes to better peaks than from random starts. The first is found from the start
    of the space, or from the least-squares fit of the metric where that is zero. Penalties are not looked at;
    optima beyond bounds are brought to the nearest weights within, and left out if these are zero.
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
        point = found.x
        starts.append(space.project(size * blurred.weights(point)))
    return [start for start in starts[1:] if start[space.free].any()]


@dataclass(frozen=True, eq=False)
class Blurred:
    """A guide where scores have a fixed spread, as a function of points u: weights are S^-1/2 u + `rest`.

    So all directions of u change scores alike, and the size of all weights together does not count. `rest`
    are frozen weights, and what S^-1/2 does not reach.
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
