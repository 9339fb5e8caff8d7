"""cobleu: the metric of expected n-gram counts over forests (Pauls, DeNero and Klein 2009)."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import ClassVar

from tunesmith.forest.ngram_corpus import MEMORY
from tunesmith.memory import parse_bytes
from tunesmith.objectives.forests.consensus import Consensus
from tunesmith.options import require_at_least
from tunesmith.tune.annealing import anneal, geometric
from tunesmith.tune.forest_recipe import FOREST_RECIPES, ForestRecipe, ForestTask
from tunesmith.tune.method import Solution
from tunesmith.tune.optimizer_choice import SmoothOptimizer, smooth_optimizer

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
        gammas = geometric(self.gamma, self.temperatures, self.cooling)
        objective = Consensus.build(
            task.pool,
            task.metric,
            threads=task.threads,
            gamma=self.gamma,
            kinks=self.kinks,
            memory=self.memory,
        )
        optimizer = smooth_optimizer(
            self.optimizer, iterations=self.iterations, rate=self.rate, batch=1, seed=task.seed
        )
        found = anneal(task, lambda gamma: dataclasses.replace(objective, gamma=gamma), optimizer, gammas)
        corpus = objective.corpus
        about = {"edges": corpus.edge_count, "bytes_an_edge": round(corpus.bytes_an_edge, 1)}
        notes = {**found.notes, "consensus": objective.score(found.weights), **about}
        return dataclasses.replace(found, notes=notes)
