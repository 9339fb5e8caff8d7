"""L-BFGS: quasi-Newton steps for smooth objectives (Byrd, Lu, Nocedal and Zhu 1995), by scipy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tunesmith.errors import OptionError
from tunesmith.objectives.base import SmoothObjective
from tunesmith.optimizers.base import OPTIMIZERS, Optimizer, State, Trace
from tunesmith.optimizers.space import Space
from tunesmith.threads import one_blas_thread
from tunesmith.types import FloatArray

if TYPE_CHECKING:
    from scipy.optimize import Bounds, OptimizeResult

__all__ = ["Lbfgs"]


@OPTIMIZERS.register("lbfgs")
@dataclass(frozen=True)
class Lbfgs(Optimizer[SmoothObjective]):
    """Minimizes loss(w) + penalty(w) inside the space's box, over its free weights.

    A step is a segment of at most `segment` iterations. Curvature is dropped between segments, so that a
    resumed run gives the same result. Done after `iterations` in total, or when an iteration improves the
    loss by less than `tolerance` (relative), or no component of the gradient exceeds it.
    O(width * corrections) per iteration besides the objective.
    """

    iterations: int = 500
    segment: int = 100
    tolerance: float = 1e-9
    corrections: int = 10

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("iterations", "segment", "corrections"):
            if getattr(self, name) < 1:
                raise OptionError(f"{name} must be at least 1, not {getattr(self, name)}")
        if not self.tolerance >= 0:
            raise OptionError(f"tolerance must be at least 0, not {self.tolerance}")

    def limit(self, state: State) -> str | None:
        return "optimizer_iterations" if _used(state) >= self.iterations else None

    def step(self, objective: SmoothObjective, space: Space, state: State, trace: Trace) -> State:
        from scipy.optimize import minimize  # it takes long to import

        used = _used(state)
        problem = _Problem(objective, space, split=space.l1 > 0)

        def note(intermediate_result: OptimizeResult) -> None:
            point, loss = intermediate_result.x, float(intermediate_result.fun)
            trace(loss - problem.excess(point), problem.weights(point))

        with one_blas_thread():
            result = minimize(
                problem.loss_and_gradient,
                problem.point(state.weights),
                jac=True,
                method="L-BFGS-B",
                bounds=problem.bounds,
                callback=note,
                options={
                    "maxiter": min(self.segment, self.iterations - used),
                    "maxfun": 50 * self.segment,
                    "maxcor": self.corrections,
                    "ftol": self.tolerance,
                    "gtol": self.tolerance,
                },
            )
        used += int(result.get("nit", 0))  # scipy gives none if the bounds fix all weights
        weights = space.project(problem.weights(result.x))
        loss = objective.loss(weights) + space.penalty(weights)
        if not loss < state.loss:  # no gain beyond rounding
            weights, loss, converged = state.weights, state.loss, True
        else:
            converged = result.status == 0
        memory = {"iterations": np.array([float(used)])}
        return State(weights, loss, state.steps + 1, converged or used >= self.iterations, memory)


def _used(state: State) -> int:
    return int(state.memory.get("iterations", np.zeros(1))[0])


@dataclass(frozen=True)
class _Problem:
    """The penalized loss over the coordinates that may move.

    With an L1 penalty the coordinates are split, w = u - v with u, v >= 0, so that l1 * (u + v) is
    smooth; at the minimum one of the two is exactly zero, and so are weights that L1 removes.
    """

    objective: SmoothObjective
    space: Space
    split: bool

    @property
    def bounds(self) -> Bounds | None:
        from scipy.optimize import Bounds

        lower, upper = self.space.lower[self.space.free], self.space.upper[self.space.free]
        if self.split:
            positive = np.maximum(lower, 0.0), np.maximum(upper, 0.0)
            negative = np.maximum(-upper, 0.0), np.maximum(-lower, 0.0)
            lower, upper = (np.concatenate(pair) for pair in zip(positive, negative, strict=True))
        return Bounds(lower, upper) if np.isfinite(lower).any() or np.isfinite(upper).any() else None

    def point(self, weights: FloatArray) -> FloatArray:
        """Return the coordinates of weights."""
        free = weights[self.space.free]
        return np.concatenate([np.maximum(free, 0.0), np.maximum(-free, 0.0)]) if self.split else free

    def weights(self, point: FloatArray) -> FloatArray:
        """Return the weights at a point."""
        weights = self.space.start.copy()
        weights[self.space.free] = np.subtract(*np.split(point, 2)) if self.split else point
        return weights

    def excess(self, point: FloatArray) -> float:
        """Return by how much l1 * (u + v) is above l1 * |u - v|."""
        return float(2 * self.space.l1 * np.minimum(*np.split(point, 2)).sum()) if self.split else 0.0

    def loss_and_gradient(self, point: FloatArray) -> tuple[float, FloatArray]:
        """Return the penalized loss at a point and its gradient there."""
        weights = self.weights(point)
        loss, full = self.objective.loss_and_gradient(weights)
        gradient = full[self.space.free] + self.space.l2 * weights[self.space.free]
        if self.split:
            gradient = np.concatenate([gradient, -gradient]) + self.space.l1
        return loss + self.space.penalty(weights) + self.excess(point), gradient
