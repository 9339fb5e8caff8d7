"""risk: the expected sentence metric, annealed."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import ClassVar

from tunesmith.objectives.expected_metric import ExpectedMetric
from tunesmith.options import require_at_least, require_positive
from tunesmith.tuning.annealing import anneal, check_cooling, rising
from tunesmith.tuning.optimizer_choice import SmoothOptimizer, check_smooth_optimizer, smooth_optimizer
from tunesmith.tuning.recipe import RECIPES, Recipe, Solution, Task

__all__ = ["Risk"]


@RECIPES.register("risk")
@dataclass(frozen=True)
class Risk(Recipe):
    """Maximizes the expected sentence metric at rising gamma.

    With `optimizer="sgd"`, `gamma=1` and `temperatures=1` this is the xBLEU training of Auli, Galley
    and Gao (2014). Without a penalty the weights would grow for ever, which is only another way to
    raise gamma; the weak default L2 keeps their size, and so the meaning of gamma, in place. The default
    gamma fits the spread of the features.
    """

    name: ClassVar[str] = "risk"
    summary: ClassVar[str] = "expected sentence metric (xBLEU), annealed"
    l2: ClassVar[float] = 0.1
    loss: ClassVar[str] = "minus the mean expected metric of sentences, at the last gamma"

    gamma: float | None = None
    temperatures: int = 4
    cooling: float = 3.0
    optimizer: SmoothOptimizer = "lbfgs"
    iterations: int = 100
    rate: float = 0.1
    batch: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        require_at_least(
            1, self.name, iterations=self.iterations, temperatures=self.temperatures, batch=self.batch
        )
        require_positive(self.name, gamma=self.gamma, rate=self.rate)
        check_cooling(self.name, self.cooling)
        check_smooth_optimizer(self.name, self.optimizer)

    def run(self, task: Task) -> Solution:
        gammas = rising(task.pool, self.gamma, self.temperatures, self.cooling)
        optimizer = smooth_optimizer(
            self.optimizer, iterations=self.iterations, rate=self.rate, batch=self.batch, seed=task.seed
        )
        objective = ExpectedMetric.build(task.pool, task.metric, threads=task.threads, gamma=gammas[-1])
        return anneal(task, lambda gamma: dataclasses.replace(objective, gamma=gamma), optimizer, gammas)
