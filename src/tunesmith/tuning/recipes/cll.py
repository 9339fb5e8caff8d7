"""cll: the likelihood of the best candidates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tunesmith.objectives.best_likelihood import BestLikelihood
from tunesmith.options import require_at_least, require_positive
from tunesmith.tuning.optimizer_choice import SmoothOptimizer, check_smooth_optimizer, smooth_optimizer
from tunesmith.tuning.recipe import RECIPES, Recipe, Solution, Task

__all__ = ["BestLikelihoodRecipe"]


@RECIPES.register("cll")
@dataclass(frozen=True)
class BestLikelihoodRecipe(Recipe):
    """Maximizes the conditional log-likelihood of the best candidates of each list."""

    name: ClassVar[str] = "cll"
    summary: ClassVar[str] = "conditional likelihood of the best candidates"
    l2: ClassVar[float] = 1.0
    loss: ClassVar[str] = "minus the mean log-likelihood of the best candidates"

    optimizer: SmoothOptimizer = "lbfgs"
    iterations: int = 500
    rate: float = 0.1
    batch: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        require_at_least(1, self.name, iterations=self.iterations, batch=self.batch)
        require_positive(self.name, rate=self.rate)
        check_smooth_optimizer(self.name, self.optimizer)

    def run(self, task: Task) -> Solution:
        objective = BestLikelihood.build(task.pool, task.metric, threads=task.threads)
        optimizer = smooth_optimizer(
            self.optimizer, iterations=self.iterations, rate=self.rate, batch=self.batch, seed=task.seed
        )
        return task.solve(objective, optimizer)
