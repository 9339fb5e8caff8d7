"""risk: the expected sentence metric, annealed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tunesmith.candidates.pool import Pool
from tunesmith.objectives.expected_metric import ExpectedMetric
from tunesmith.tuning.annealing import anneal, sharp_gamma
from tunesmith.tuning.method import METHODS, Method
from tunesmith.tuning.run import Run, Solution
from tunesmith.tuning.smooth_optimizer import SmoothOptimizer, check_smooth_options, smooth_optimizer

__all__ = ["Risk"]


@METHODS.register("risk")
@dataclass(frozen=True)
class Risk(Method):
    """Maximizes the expected sentence metric at rising gamma.

    With `optimizer="sgd"`, `gamma=1` and `temperatures=1` this is the xBLEU training of Auli, Galley
    and Gao (2014). Without a penalty the weights would grow without bound, which only amounts to
    raising gamma; the weak default L2 fixes their size, and so the meaning of gamma. The default
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
        check_smooth_options(self)

    def learn(self, run: Run[Pool]) -> Solution:
        gamma = sharp_gamma(run.data) if self.gamma is None else self.gamma
        objective = ExpectedMetric.build(run.data, run.metric, threads=run.threads, gamma=gamma)
        optimizer = smooth_optimizer(self, run.seed)
        return anneal(run, objective, optimizer, temperatures=self.temperatures, cooling=self.cooling)
