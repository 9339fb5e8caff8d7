"""corpus-risk: the corpus metric of expected statistics, annealed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tunesmith.candidates.pool import Pool
from tunesmith.metrics.base import Metric
from tunesmith.metrics.differentiable import differentiable
from tunesmith.objectives.expected_statistics import ExpectedStatistics
from tunesmith.optimizers.lbfgs import Lbfgs
from tunesmith.tuning.annealing import anneal, sharp_gamma
from tunesmith.tuning.method import METHODS, Method
from tunesmith.tuning.run import Run, Solution
from tunesmith.tuning.smooth_optimizer import check_smooth_options

__all__ = ["CorpusRisk"]


@METHODS.register("corpus-risk")
@dataclass(frozen=True)
class CorpusRisk(Method):
    """Maximizes the metric of the corpus' expected statistics at rising gamma, by L-BFGS.

    At a large gamma this is nearly the score of the best candidates, the objective of MERT, but with
    a gradient: any number of features is possible. The metric must have a gradient. The weak default L2
    fixes the size of the weights, and so the meaning of gamma. The default gamma fits the
    spread of the features.
    """

    name: ClassVar[str] = "corpus-risk"
    summary: ClassVar[str] = "corpus metric of expected statistics, annealed"
    l2: ClassVar[float] = 0.1
    loss: ClassVar[str] = "minus the metric of the corpus' expected statistics, at the last gamma"

    gamma: float | None = None
    temperatures: int = 4
    cooling: float = 3.0
    optimizer_iterations: int = 100

    def __post_init__(self) -> None:
        super().__post_init__()
        check_smooth_options(self)

    def check_metric(self, metric: Metric) -> None:
        differentiable(metric).score_gradient(np.ones(metric.width))

    def learn(self, run: Run[Pool]) -> Solution:
        gamma = sharp_gamma(run.data) if self.gamma is None else self.gamma
        objective = ExpectedStatistics.build(run.data, run.metric, threads=run.threads, gamma=gamma)
        optimizer = Lbfgs(iterations=self.optimizer_iterations)
        return anneal(run, objective, optimizer, temperatures=self.temperatures, cooling=self.cooling)
