"""What methods of lists and of forests share: stages with a journal, options, a solution."""

from __future__ import annotations

import dataclasses
from abc import ABC
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Self, TypeVar

from tunesmith.errors import OptionError, suggest
from tunesmith.metrics.base import Metric
from tunesmith.objectives.base import Objective
from tunesmith.optimizers.base import Optimizer, State
from tunesmith.optimizers.space import Space
from tunesmith.options import check_option, check_options, check_seed, option_types
from tunesmith.tuning.history import Journal
from tunesmith.types import FloatArray

__all__ = ["NO_MATTER", "Method", "Solution", "Stages"]

NO_MATTER: Mapping[str, object] = {"matters": False}
"""The metadata of an option on which no result depends, such as a limit of memory."""

PoolT = TypeVar("PoolT")


@dataclass(frozen=True)
class Stages(Generic[PoolT]):
    """What is to be tuned: a pool, a metric, the space of weights, and where to keep the history."""

    pool: PoolT
    metric: Metric
    space: Space
    seed: int
    threads: int
    journal: Journal

    def __post_init__(self) -> None:
        """Check the seed, which goes to native code and to generators that know no sign."""
        check_seed(self.seed)

    def minimize(
        self,
        objective: Objective,
        optimizer: Optimizer[Any],
        start: FloatArray | None = None,
        **facts: object,
    ) -> State:
        """Run one stage from `start` (or the space's own) to its end, with history, checkpoint and resume.

        `facts` (a round, a temperature) are written on every history line of the stage.
        """
        space = (
            self.space if start is None else dataclasses.replace(self.space, start=self.space.project(start))
        )
        return self.journal.minimize(objective, optimizer, space, facts)

    def solve(self, objective: Objective, optimizer: Optimizer[Any], **notes: object) -> Solution:
        """Run a recipe that is a single stage, from the space's start."""
        start_loss = optimizer.start(objective, self.space).loss
        end = self.minimize(objective, optimizer)
        return Solution(end.weights, end.loss, start_loss, notes)


@dataclass(frozen=True)
class Solution:
    """What a recipe found: weights, and its own objective (penalized) before and after."""

    weights: FloatArray
    loss: float
    start_loss: float
    notes: Mapping[str, object] = field(default_factory=dict)
    """What a user should know of the run: the richness ratio, the number of pairs, ..."""


@dataclass(frozen=True)
class Method(ABC):
    """A frozen dataclass; its fields are the method's options, in Python and on the command line."""

    name: ClassVar[str]
    summary: ClassVar[str]
    most_features: ClassVar[int | None] = None
    """More free features than this are met with a warning."""
    sampled: ClassVar[bool] = False
    """Whether the loss is on data that the seed draws; then replicas are compared by metric."""
    scale_free: ClassVar[bool] = False
    """Whether weights of any size are equally good, as long as their directions are the same."""
    l2: ClassVar[float] = 0.0
    """The penalty strength when the user gives none."""
    least_improvement: ClassVar[float] = 0.0
    """A loop ends when a round improves the loss by no more than this share of it."""
    loss: ClassVar[str] = "the method's own objective"
    """What is minimized, in a few words; penalties are added to it."""

    def __post_init__(self) -> None:
        """Check the options' types; a recipe that knows more about its own calls this and checks on."""
        check_options(self, self.name)

    @property
    def determinants(self) -> dict[str, object]:
        """The options that results depend on, by name."""
        return {
            each.name: getattr(self, each.name)
            for each in dataclasses.fields(self)
            if each.metadata.get("matters", True)
        }

    def check_metric(self, metric: Metric) -> None:  # noqa: B027 - most methods take any
        """Raise OptionError if the method cannot learn by a metric: before any work is done."""

    @classmethod
    def configure(cls, options: Mapping[str, object]) -> Self:
        """Build the recipe; an unknown option is an error with a suggestion, a wrong type an error too."""
        known = option_types(cls)
        for name, value in options.items():
            if name not in known:
                raise OptionError(f"method {cls.name!r} has no option {name!r}{suggest(name, known)}")
            check_option(cls.name, name, known[name], value)
        return cls(**options)
