"""cll: the likelihood of the best candidates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tunesmith.candidates.pool import Pool
from tunesmith.objectives.best_likelihood import BestLikelihood
from tunesmith.tuning.method import METHODS, Method
from tunesmith.tuning.run import Run, Solution
from tunesmith.tuning.smooth_optimizer import SmoothOptimizer, check_smooth_options, smooth_optimizer

__all__ = ["Cll"]


@METHODS.register("cll")
@dataclass(frozen=True)
class Cll(Method):
    """Maximizes the conditional log-likelihood of the best candidates of each list."""

    name: ClassVar[str] = "cll"
    summary: ClassVar[str] = "conditional likelihood of the best candidates"
    l2: ClassVar[float] = 1.0
    loss: ClassVar[str] = "minus the mean log-likelihood of the best candidates"

    optimizer: SmoothOptimizer = "lbfgs"
    optimizer_iterations: int = 500
    rate: float = 0.1
    batch: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        check_smooth_options(self)

    def learn(self, run: Run[Pool]) -> Solution:
        objective = BestLikelihood.build(run.data, run.metric, threads=run.threads)
        return run.minimize(objective, smooth_optimizer(self, run.seed))
