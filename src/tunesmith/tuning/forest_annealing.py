"""What methods over n-gram expectations share: options, checks, and annealing of a smooth objective."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from tunesmith.metrics.base import Metric
from tunesmith.metrics.plain_ngrams import require_ngram_counts
from tunesmith.objectives.forests.consensus import Consensus
from tunesmith.objectives.forests.linear_gain import LinearGain
from tunesmith.options import require_at_least, require_positive
from tunesmith.tuning.annealing import anneal, check_cooling, geometric
from tunesmith.tuning.forest_recipe import ForestRecipe, ForestTask
from tunesmith.tuning.method import Solution
from tunesmith.tuning.optimizer_choice import SmoothOptimizer, check_smooth_optimizer, smooth_optimizer

__all__ = ["SmoothForestRecipe"]

ObjectiveT = TypeVar("ObjectiveT", Consensus, LinearGain)


@dataclass(frozen=True)
class SmoothForestRecipe(ForestRecipe):
    """Minimizes an objective at `temperatures` scales that rise to `gamma`, each `cooling` times the last."""

    merges: ClassVar[bool] = False  # a derivation of two rounds would count twice in expectations
    least_improvement: ClassVar[float] = 2e-5  # two sets of forests may follow each other without end

    optimizer: SmoothOptimizer = "lbfgs"
    iterations: int = 100
    rate: float = 0.1
    gamma: float = 1.0
    temperatures: int = 1
    cooling: float = 3.0

    def __post_init__(self) -> None:
        super().__post_init__()
        require_at_least(1, self.name, iterations=self.iterations, temperatures=self.temperatures)
        require_positive(self.name, rate=self.rate, gamma=self.gamma)
        check_cooling(self.name, self.cooling)
        check_smooth_optimizer(self.name, self.optimizer)

    def check_metric(self, metric: Metric) -> None:
        require_ngram_counts(metric, self.name)

    def minimize(self, task: ForestTask, objective: ObjectiveT) -> Solution:
        """Minimize at each gamma up to the last; the notes tell the size of the forests as compiled."""
        gammas = geometric(self.gamma, self.temperatures, self.cooling)
        optimizer = smooth_optimizer(
            self.optimizer, iterations=self.iterations, rate=self.rate, batch=1, seed=task.seed
        )
        found = anneal(task, lambda gamma: dataclasses.replace(objective, gamma=gamma), optimizer, gammas)
        corpus = objective.corpus
        about = {"edges": corpus.edge_count, "bytes_an_edge": round(corpus.bytes_an_edge, 1)}
        return dataclasses.replace(found, notes={**found.notes, **about})
