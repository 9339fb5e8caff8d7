"""Where the objectives over forests are found: `build(forests, metric, *, seed=1, threads=1, ...)`."""

from __future__ import annotations

from tunesmith.objectives.base import Objective
from tunesmith.registry import Registry

__all__ = ["FOREST_OBJECTIVES"]

FOREST_OBJECTIVES: Registry[type[Objective]] = Registry("forest objective", "tunesmith.objectives.forests")
"""Built from a `ForestPool` and a metric; all else is as for objectives over candidate lists."""
