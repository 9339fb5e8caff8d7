"""forest-risk: the expected linear BLEU of derivations, annealed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tunesmith.objectives.forests.linear_gain import LinearGain
from tunesmith.options import require_at_most, require_positive
from tunesmith.tuning.forest_annealing import SmoothForestRecipe
from tunesmith.tuning.forest_recipe import FOREST_RECIPES, ForestTask, Solution

__all__ = ["ForestRisk"]


@FOREST_RECIPES.register("forest-risk")
@dataclass(frozen=True)
class ForestRisk(SmoothForestRecipe):
    """Maximizes the expected linear BLEU of all derivations at rising gamma (Li and Eisner 2009).

    `precision` and `ratio` are those of linear BLEU (Tromble et al. 2008): of single words, of one order
    to that of the order below. `temperature` times the mean entropy of derivations is added to the gain;
    with a `gamma` that rises to its last value in `temperatures` steps, distributions sharpen slowly. The
    weak default L2 keeps the size of the weights, and so the meaning of gamma, in place.
    """

    name: ClassVar[str] = "forest-risk"
    summary: ClassVar[str] = "expected linear BLEU of all derivations, annealed"
    l2: ClassVar[float] = 0.1
    loss: ClassVar[str] = "minus the mean expected linear BLEU of derivations, at the last gamma"

    temperatures: int = 3
    temperature: float = 0.0
    precision: float = 0.85
    ratio: float = 0.72

    def __post_init__(self) -> None:
        super().__post_init__()
        require_positive(self.name, precision=self.precision, ratio=self.ratio)
        require_at_most(1, self.name, precision=self.precision, ratio=self.ratio)

    def run(self, task: ForestTask) -> Solution:
        objective = LinearGain.build(
            task.pool,
            task.metric,
            threads=task.threads,
            gamma=self.gamma,
            temperature=self.temperature,
            precision=self.precision,
            ratio=self.ratio,
            memory=self.memory,
        )
        return self.minimize(task, objective)
