"""What a recipe is: a named composition of objectives and optimizers over candidate lists."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

from tunesmith.candidates.pool import Pool
from tunesmith.registry import Registry
from tunesmith.tuning.method import Method, Solution, Stages

__all__ = ["RECIPES", "Recipe", "Solution", "Task"]

RECIPES: Registry[type[Recipe]] = Registry("method", "tunesmith.tuning.recipes")


@dataclass(frozen=True)
class Task(Stages[Pool]):
    """Candidate lists to tune on."""


@dataclass(frozen=True)
class Recipe(Method):
    """A method that learns from candidate lists."""

    @abstractmethod
    def run(self, task: Task) -> Solution:
        """Tune; random choices follow `task.seed`."""
