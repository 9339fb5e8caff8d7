"""cobleu: the metric of expected n-gram counts over forests (Pauls, DeNero and Klein 2009)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from tunesmith.objectives.forests.consensus import Consensus
from tunesmith.tuning.forest_annealing import SmoothForestRecipe
from tunesmith.tuning.forest_recipe import FOREST_RECIPES, ForestTask, Solution

__all__ = ["Cobleu"]


@FOREST_RECIPES.register("cobleu")
@dataclass(frozen=True)
class Cobleu(SmoothForestRecipe):
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
    loss: ClassVar[str] = "minus the log of the metric of expected n-gram counts"
    context: ClassVar[int] = 3

    kinks: bool = False

    def run(self, task: ForestTask) -> Solution:
        objective = Consensus.build(
            task.pool,
            task.metric,
            threads=task.threads,
            gamma=self.gamma,
            kinks=self.kinks,
            memory=self.memory,
        )
        found = self.minimize(task, objective)
        return replace(found, notes={**found.notes, "consensus": objective.score(found.weights)})
