"""Minimum error rate training: the corpus metric itself, by exact line search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from tunesmith.errors import OptionError
from tunesmith.objectives.base import SmoothObjective
from tunesmith.objectives.corpus_error import CorpusError
from tunesmith.objectives.expected_metric import ExpectedMetric
from tunesmith.objectives.expected_statistics import ExpectedStatistics
from tunesmith.optimizers.line_search import LineSearch
from tunesmith.options import require_at_least
from tunesmith.tuning.recipe import RECIPES, Recipe, Solution, Task

__all__ = ["Mert"]


@RECIPES.register("mert")
@dataclass(frozen=True)
class Mert(Recipe):
    """MERT (Och 2003): corpus error, exact line search along axes and random directions, restarts.

    `guided` begins searches at optima of the metric's expected statistics, from smooth to sharp, and adds to
    each round a search up their gradient; both find better weights in less time than chance alone.
    """

    name: ClassVar[str] = "mert"
    summary: ClassVar[str] = "exact line search on the corpus metric; best with up to some thirty features"

    loss: ClassVar[str] = (
        "minus the metric of the candidates that the weights rank first (an error rate as it is)"
    )
    scale_free: ClassVar[bool] = True
    most_features: ClassVar[int | None] = 50

    restarts: int = 20
    variant: Literal["powell", "och"] = "powell"
    directions: int = 5
    guided: bool = True
    rounds: int = 50

    def __post_init__(self) -> None:
        super().__post_init__()
        require_at_least(0, self.name, restarts=self.restarts, directions=self.directions)
        require_at_least(1, self.name, rounds=self.rounds)

    def run(self, task: Task) -> Solution:
        """Search from the start and `restarts` other points; the result sums to 1 in absolute value."""
        objective = CorpusError.build(task.pool, task.metric, threads=task.threads)
        optimizer = LineSearch(
            _guide(task) if self.guided else None,
            self.restarts,
            self.variant,
            self.directions,
            self.rounds,
            seed=task.seed,
            threads=task.threads,
        )
        return task.solve(objective, optimizer)


def _guide(task: Task) -> SmoothObjective:
    """Return a smooth relative of the corpus metric; expected sentence scores where it has no gradient."""
    try:
        return ExpectedStatistics.build(task.pool, task.metric)
    except OptionError:
        return ExpectedMetric.build(task.pool, task.metric)
