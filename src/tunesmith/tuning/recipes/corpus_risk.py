"""corpus-risk: the corpus metric of expected statistics, annealed."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tunesmith.metrics.base import Metric
from tunesmith.metrics.differentiable import differentiable
from tunesmith.objectives.expected_statistics import ExpectedStatistics
from tunesmith.optimizers.lbfgs import Lbfgs
from tunesmith.options import require_at_least, require_positive
from tunesmith.tuning.annealing import anneal, check_cooling, rising
from tunesmith.tuning.recipe import RECIPES, Recipe, Solution, Task

__all__ = ["CorpusRisk"]


@RECIPES.register("corpus-risk")
@dataclass(frozen=True)
class CorpusRisk(Recipe):
    """Maximizes the metric of the corpus' expected statistics at rising gamma, by L-BFGS.

    At a large gamma this is nearly the score of the best candidates, the objective of MERT, but with
    a gradient: any number of features will do. For metrics that have a gradient. The weak default L2
    keeps the size of the weights, and so the meaning of gamma, in place. The default gamma fits the
    spread of the features.
    """

    name: ClassVar[str] = "corpus-risk"
    summary: ClassVar[str] = "corpus metric of expected statistics, annealed"
    l2: ClassVar[float] = 0.1
    loss: ClassVar[str] = "minus the metric of the corpus' expected statistics, at the last gamma"

    gamma: float | None = None
    temperatures: int = 4
    cooling: float = 3.0
    iterations: int = 100

    def __post_init__(self) -> None:
        super().__post_init__()
        require_at_least(1, self.name, iterations=self.iterations, temperatures=self.temperatures)
        require_positive(self.name, gamma=self.gamma)
        check_cooling(self.name, self.cooling)

    def check_metric(self, metric: Metric) -> None:
        differentiable(metric).score_gradient(np.ones(metric.width))

    def run(self, task: Task) -> Solution:
        gammas = rising(task.pool, self.gamma, self.temperatures, self.cooling)
        objective = ExpectedStatistics.build(task.pool, task.metric, threads=task.threads, gamma=gammas[-1])
        optimizer = Lbfgs(iterations=self.iterations)
        return anneal(task, lambda gamma: dataclasses.replace(objective, gamma=gamma), optimizer, gammas)
