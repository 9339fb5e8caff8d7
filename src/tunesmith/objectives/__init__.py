"""Objectives: what a learner minimizes."""

from tunesmith.objectives.base import OBJECTIVES, Objective, SmoothObjective, StochasticObjective

__all__ = ["OBJECTIVES", "Objective", "SmoothObjective", "StochasticObjective"]
