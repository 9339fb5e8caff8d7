"""Random search on the corpus metric."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tunesmith.candidates.pool import Pool
from tunesmith.objectives.corpus_error import CorpusError
from tunesmith.optimizers.random_search import RandomSearch
from tunesmith.options import require_at_least, require_positive
from tunesmith.tuning.method import METHODS, Method
from tunesmith.tuning.run import Run, Solution

__all__ = ["Search"]


@METHODS.register("search")
@dataclass(frozen=True)
class Search(Method):
    """Random search, as a baseline."""

    name: ClassVar[str] = "search"
    summary: ClassVar[str] = "random search, the baseline"

    loss: ClassVar[str] = (
        "minus the metric of the candidates that the weights rank first (error rates unchanged)"
    )
    scale_free: ClassVar[bool] = True
    most_features: ClassVar[int | None] = 50

    trials: int = 500
    scale: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        require_at_least(1, self.name, trials=self.trials)
        require_positive(self.name, scale=self.scale)

    def depends_on_scale(self, penalized: bool) -> bool:
        return True

    def learn(self, run: Run[Pool]) -> Solution:
        """Draw weights and keep the best."""
        objective = CorpusError.build(run.data, run.metric, threads=run.threads)
        return run.minimize(objective, RandomSearch(self.trials, self.scale, run.seed))
