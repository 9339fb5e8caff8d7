"""What a recipe over forests is: as one over candidate lists, but it learns from all derivations."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar

from tunesmith.errors import OptionError
from tunesmith.forest.pool import ForestPool
from tunesmith.forest.store import MEMORY
from tunesmith.memory import parse_bytes
from tunesmith.registry import Registry
from tunesmith.tuning.method import NO_MATTER, Method, Solution, Stages

__all__ = ["FOREST_RECIPES", "ForestRecipe", "ForestTask", "Solution"]

FOREST_RECIPES: Registry[type[ForestRecipe]] = Registry("forest method", "tunesmith.tuning.forest_recipes")


@dataclass(frozen=True)
class ForestTask(Stages[ForestPool]):
    """Forests to tune on."""


@dataclass(frozen=True)
class ForestRecipe(Method):
    """A method that learns from forests."""

    merges: ClassVar[bool] = True
    """Whether a loop with a decoder gives it the forests of all its rounds, or only the newest ones."""
    density: ClassVar[float] = 50.0
    """How many edges for each word of the reference both parts of a union keep."""
    context: ClassVar[int] = 0
    """How many boundary words forests should tell apart: 3 makes 4-gram counts local to edges."""

    memory: str = field(default=MEMORY, kw_only=True, metadata=NO_MATTER)
    """What forests of one form may take of memory; those beyond it lie on disk."""

    def __post_init__(self) -> None:
        super().__post_init__()
        try:
            parse_bytes(self.memory)
        except OptionError as error:
            raise OptionError(f"{self.name}: {error}") from None

    @abstractmethod
    def run(self, task: ForestTask) -> Solution:
        """Tune; random choices follow `task.seed`."""
