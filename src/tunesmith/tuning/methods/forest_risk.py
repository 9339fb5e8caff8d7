"""forest-risk: the expected linear BLEU of derivations, annealed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tunesmith.forest.pool import ForestPool
from tunesmith.metrics.base import Metric
from tunesmith.metrics.plain_ngrams import require_ngram_counts
from tunesmith.objectives.forests.linear_gain import LinearGain
from tunesmith.options import require_at_most, require_positive
from tunesmith.tuning.annealing import anneal
from tunesmith.tuning.method import METHODS, ForestMethod
from tunesmith.tuning.run import Run, Solution
from tunesmith.tuning.smooth_optimizer import SmoothOptimizer, check_smooth_options, smooth_optimizer

__all__ = ["ForestRisk"]


@METHODS.register("forest-risk")
@dataclass(frozen=True)
class ForestRisk(ForestMethod):
    """Maximizes the expected linear BLEU of all derivations at rising gamma (Li and Eisner 2009).

    `precision` and `ratio` are the parameters of linear BLEU (Tromble et al. 2008): unigram precision, and
    ratio of each order to the order below. `temperature` times the mean entropy of derivations is added to
    the gain; with a `gamma` that rises to its last value in `temperatures` steps, distributions sharpen
    slowly. The weak default L2 fixes the size of the weights, and so the meaning of gamma.
    """

    name: ClassVar[str] = "forest-risk"
    summary: ClassVar[str] = "expected linear BLEU of all derivations, annealed"
    l2: ClassVar[float] = 0.1
    loss: ClassVar[str] = "minus the mean expected linear BLEU of derivations, at the last gamma"

    merges: ClassVar[bool] = False  # a derivation found in two rounds would count twice in expectations
    least_improvement: ClassVar[float] = 2e-5  # else the forests of two rounds may alternate forever

    optimizer: SmoothOptimizer = "lbfgs"
    optimizer_iterations: int = 100
    rate: float = 0.1
    gamma: float = 1.0
    temperatures: int = 3
    cooling: float = 3.0
    temperature: float = 0.0
    precision: float = 0.85
    ratio: float = 0.72

    def __post_init__(self) -> None:
        super().__post_init__()
        check_smooth_options(self)
        require_positive(self.name, precision=self.precision, ratio=self.ratio)
        require_at_most(1, self.name, precision=self.precision, ratio=self.ratio)

    def check_metric(self, metric: Metric) -> None:
        require_ngram_counts(metric, self.name)

    def learn(self, run: Run[ForestPool]) -> Solution:
        objective = LinearGain.build(
            run.data,
            run.metric,
            threads=run.threads,
            gamma=self.gamma,
            temperature=self.temperature,
            precision=self.precision,
            ratio=self.ratio,
            memory=self.memory,
        )
        optimizer = smooth_optimizer(self, run.seed)
        found = anneal(run, objective, optimizer, temperatures=self.temperatures, cooling=self.cooling)
        corpus = objective.corpus
        return found.noting(edges=corpus.edge_count, bytes_per_edge=round(corpus.bytes_per_edge, 1))
