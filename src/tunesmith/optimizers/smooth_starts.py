"""Where to begin an exact line search: optima of a smooth relative of the metric, from blurred to sharp."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from tunesmith.objectives.base import SmoothObjective
from tunesmith.objectives.geometry import Geometry
from tunesmith.optimizers.space import Space
from tunesmith.threads import one_blas_thread
from tunesmith.types import FloatArray

__all__ = ["SHARPNESS", "Blurred", "smooth_starts"]

BLURRED = 1.0
"""The spread of scores within a list at which the guide is minimized first."""

SHARPNESS = (4.0, 16.0, 64.0)
"""The spreads that follow, one after the other; their optima are the starts."""

ITERATIONS = 30
"""Of L-BFGS at each sharpness: a start need not be exact."""

TOLERANCE = 1e-6
"""An iteration that gains less, relatively, is the last."""


def smooth_starts(
    guide: SmoothObjective, space: Space, geometry: Geometry, weights: FloatArray
) -> list[FloatArray]:
    """Return the optima of the guide at each sharpness, each found from the one before.

    The corpus metric is full of small peaks. Expected statistics see only the large ones where scores differ
    little, and almost all of them where they differ much: whoever follows the optimum from one to the other
    (Smith and Eisner 2006) comes to better peaks than from random starts. Weights without any effect on
    scores lead nowhere: no starts.
    """
    size = geometry.spread(np.where(space.free, weights, 0.0))
    if not size > 0:
        return []
    starts: list[FloatArray] = []
    point = geometry.color(np.where(space.free, weights, 0.0)) / size
    for sharpness in (BLURRED, *SHARPNESS):
        blurred = Blurred(guide, space, geometry, size, sharpness)
        with one_blas_thread():
            found = minimize(
                blurred.loss_and_gradient,
                point,
                jac=True,
                method="L-BFGS-B",
                options={"maxiter": ITERATIONS, "ftol": TOLERANCE, "gtol": 0.0},
            )
        point = blurred.normal(found.x)
        starts.append(space.project(blurred.weights(point)))
    return starts[1:]


@dataclass(frozen=True, eq=False)
class Blurred:
    """A guide at a fixed sharpness, as a function of points u: weights are S^-1/2 u, beside frozen ones.

    So all directions of u change scores alike. Where nothing anchors the size of the weights, only the
    direction of u counts. Bounds are left to whoever takes the weights.
    """

    guide: SmoothObjective
    space: Space
    geometry: Geometry
    size: float
    """The spread that weights of a u of length 1 have."""
    sharpness: float

    def normal(self, point: FloatArray) -> FloatArray:
        """Return the point of length 1 in the same direction, if its length does not count."""
        return point if self.space.anchored else point / np.linalg.norm(point)

    def weights(self, point: FloatArray) -> FloatArray:
        """Return the weights of a point."""
        fixed = np.where(self.space.free, 0.0, self.space.start)
        return fixed + self.size * self.geometry.whiten(self.normal(point))

    def loss_and_gradient(self, point: FloatArray) -> tuple[float, FloatArray]:
        """Return the guide's loss and its gradient by u."""
        scale = self.sharpness / self.size
        loss, by_weights = self.guide.loss_and_gradient(scale * self.weights(point))
        gradient = self.sharpness * self.geometry.whiten(np.where(self.space.free, by_weights, 0.0))
        if not self.space.anchored:
            direction = self.normal(point)
            gradient = (gradient - (gradient @ direction) * direction) / np.linalg.norm(point)
        return loss, gradient
