"""cobleu: the metric of expected n-gram counts over forests (Pauls, DeNero and Klein 2009)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from tunesmith.forest.ngram_corpus import MEMORY
from tunesmith.memory import parse_bytes
from tunesmith.objectives.forests.consensus import Consensus
from tunesmith.options import require_at_least
from tunesmith.tune.forest_annealing import anneal_forests
from tunesmith.tune.forest_recipe import FOREST_RECIPES, ForestRecipe, ForestTask
from tunesmith.tune.method import Solution
from tunesmith.tune.optimizer_choice import SmoothOptimizer

__all__ = ["Cobleu"]


@FOREST_RECIPES.register("cobleu")
@dataclass(frozen=True)
class Cobleu(ForestRecipe):
    """Maximizes the metric of expected n-gram counts, what consensus decoding looks at.

    With BLEU this is CoBLEU. `adaptive` is the paper's gradient ascent, whose step grows on success and
    shrinks on failure; `lbfgs` needs fewer evaluations. `temperatures` above 1 anneal: the scale of
    scores rises to `gamma`, each `cooling` times the one before (Smith and Eisner 2006). `kinks` leaves
    the brevity penalty as it is, as in the paper, where it would be rounded. Compiled forests beyond
    `memory` lie on disk.
    """

    name: ClassVar[str] = "cobleu"
    summary: ClassVar[str] = "metric of expected n-gram counts over forests, for consensus decoding"
    l2: ClassVar[float] = 0.01
    merges: ClassVar[bool] = False
    context: ClassVar[int] = 3

    optimizer: SmoothOptimizer = "lbfgs"
    iterations: int = 100
    rate: float = 0.1
    gamma: float = 1.0
    temperatures: int = 1
    cooling: float = 3.0
    kinks: bool = False
    memory: str = MEMORY

    def __post_init__(self) -> None:
        super().__post_init__()
        require_at_least(1, self.name, iterations=self.iterations, temperatures=self.temperatures)
        parse_bytes(self.memory)

    def run(self, task: ForestTask) -> Solution:
        objective = Consensus.build(
            task.pool,
            task.metric,
            threads=task.threads,
            gamma=self.gamma,
            kinks=self.kinks,
            memory=self.memory,
        )
        found = anneal_forests(task, objective, self)
        return replace(found, notes={**found.notes, "consensus": objective.score(found.weights)})
