"""Objectives: what a learner minimizes."""

from tunesmith.objectives.base import OBJECTIVES, Objective, SmoothObjective

__all__ = ["OBJECTIVES", "Objective", "SmoothObjective"]
