"""risk: the expected sentence metric, annealed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tunesmith.candidates.pool import Pool
from tunesmith.errors import OptionError
from tunesmith.objectives.expected_metric import ExpectedMetric
from tunesmith.objectives.validated import Validated
from tunesmith.optimizers.base import OPTIMIZERS
from tunesmith.optimizers.stochastic import StochasticDescent
from tunesmith.tuning.annealing import anneal, sharp_gamma
from tunesmith.tuning.method import METHODS, Method
from tunesmith.tuning.run import Run, Solution
from tunesmith.tuning.smooth_optimizer import SmoothOptimizer, check_smooth_options, smooth_optimizer

__all__ = ["Risk"]


@METHODS.register("risk")
@dataclass(frozen=True)
class Risk(Method):
    """Maximizes the expected sentence metric at rising gamma.

    With `optimizer="sgd"`, `gamma=1`, `temperatures=1`, `average_steps=False`, a `validation_share` and no
    penalty this is the xBLEU training of Auli, Galley and Gao (2014). With `average_steps` (of sgd and
    adagrad) the weights of an epoch are the mean over its steps, not the last. A `validation_share` of the
    lists is not learned from: sgd and adagrad stop when the objective on them changes by less than
    0.03%, and the weights of the epoch with the best objective on them are the result.

    Without a penalty the weights would grow without bound, which only amounts to
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
    optimizer_iterations: int = 100
    rate: float = 0.1
    batch: int = 1
    average_steps: bool = True
    validation_share: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_smooth_options(self)
        if not 0 <= self.validation_share < 1:
            wrong = {"owner": self.name, "value": self.validation_share}
            raise OptionError(
                "{owner}: {} must be at least 0 and below 1, not {value}", "validation_share", **wrong
            )
        in_epochs = issubclass(OPTIMIZERS[self.optimizer], StochasticDescent)
        if not self.average_steps and not in_epochs:
            raise OptionError(
                "{owner}: {} false needs {} sgd or adagrad; others never average",
                "average_steps",
                "optimizer",
                owner=self.name,
            )
        if self.validation_share and not in_epochs:
            raise OptionError(
                "{owner}: {} needs {} sgd or adagrad, which compare losses after each epoch",
                "validation_share",
                "optimizer",
                owner=self.name,
            )

    def learn(self, run: Run[Pool]) -> Solution:
        gamma = sharp_gamma(run.data) if self.gamma is None else self.gamma
        options: Any = {"threads": run.threads, "gamma": gamma}
        if not self.validation_share:
            return self._annealed(run, ExpectedMetric.build(run.data, run.metric, **options))
        share = self.validation_share
        parts = Validated.build(run.data, run.metric, seed=run.seed, share=share, **options)
        return self._annealed(run, parts).noting(validation_lists=parts.held_out.lists)

    def _annealed(self, run: Run[Pool], objective: ExpectedMetric | Validated) -> Solution:
        optimizer = smooth_optimizer(self, run.seed)
        return anneal(run, objective, optimizer, temperatures=self.temperatures, cooling=self.cooling)
