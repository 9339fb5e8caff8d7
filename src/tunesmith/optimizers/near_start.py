"""Back toward the start: the weights nearest to the start that are nearly as good as the best ones found."""

from __future__ import annotations

import numpy as np

from tunesmith.objectives.line_objective import LineObjective
from tunesmith.optimizers.climb import Climber
from tunesmith.optimizers.space import Space
from tunesmith.types import FloatArray

__all__ = ["nearest_to_start"]


def nearest_to_start(
    objective: LineObjective, space: Space, weights: FloatArray, slack: float
) -> tuple[FloatArray, float]:
    """Return weights on the line from the start to `weights`, and their penalized loss (ours).

    They are in the interval nearest to the start whose penalized gain is above that of the start and at most
    `slack` below that of `weights`: in its middle. Both ends of the line have the size at which weights are
    compared (`Climber`). Without a start, or if no such point is found, the weights are returned as they are.
    One line search.
    """
    climber = Climber(objective, space, objective.geometry(space.free))
    end = climber.at(weights)
    start = climber.sized(space.project(space.start))
    direction = start - end.weights
    if not start[space.free].any() or not direction.any():
        return end.weights, -end.value
    least, above = end.value - slack, climber.at(start).value
    profile = end.evaluated.along(direction, (0.0, 1.0))
    ends = np.clip(np.concatenate([[0.0], profile.thresholds, [1.0]]), 0.0, 1.0)
    # A penalty only lowers the value, and is part of `found`.
    good = (np.diff(ends) > 0) & (profile.gains >= least) & (profile.gains > above)
    for middle in reversed((0.5 * (ends[:-1] + ends[1:]))[good].tolist()):
        found = climber.at(space.project(end.weights + middle * direction))
        if found.value >= least and found.value > above:
            return found.weights, -found.value
    return end.weights, -end.value
